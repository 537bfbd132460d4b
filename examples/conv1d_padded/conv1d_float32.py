# The filter of conv1d.py on floats. Zero times a tap is zero only when the tap is finite: the schedule is refused unless
# `--fp "nnan ninf"` grants it.
from tvm.script import tir as T


@T.prim_func
def conv1d(
    A: T.Buffer((4096,), "float32"),
    F: T.Buffer((5,), "float32"),
    B: T.Buffer((4096,), "float32"),
):
    for i, f in T.grid(4096, 5):
        with T.block("conv1d"):
            vi, vf = T.axis.remap("SR", [i, f])
            with T.init():
                B[vi] = T.float32(0)
            if 0 <= vi + vf - 2 and vi + vf - 2 < 4096:
                B[vi] = B[vi] + F[vf] * A[vi + vf - 2]
