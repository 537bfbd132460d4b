# A filter of five taps over a signal of 4096 samples. What lies outside of the signal counts as zero.
from tvm.script import tir as T


@T.prim_func
def conv1d(
    A: T.Buffer((4096,), "int32"),
    F: T.Buffer((5,), "int32"),
    B: T.Buffer((4096,), "int32"),
):
    for i, f in T.grid(4096, 5):
        with T.block("conv1d"):
            vi, vf = T.axis.remap("SR", [i, f])
            with T.init():
                B[vi] = 0
            if 0 <= vi + vf - 2 and vi + vf - 2 < 4096:
                B[vi] = B[vi] + F[vf] * A[vi + vf - 2]
