# Two filters, one after the other, over a signal of 4000 samples. What lies outside of a signal counts as zero.
from tvm.script import tir as T


@T.prim_func
def conv1d_twice(
    A: T.Buffer((4000,), "int32"),
    F: T.Buffer((5,), "int32"),
    G: T.Buffer((3,), "int32"),
    B: T.Buffer((4000,), "int32"),
):
    M = T.alloc_buffer((4000,), "int32")
    for i, f in T.grid(4000, 5):
        with T.block("first"):
            vi, vf = T.axis.remap("SR", [i, f])
            with T.init():
                M[vi] = 0
            if 0 <= vi + vf - 2 and vi + vf - 2 < 4000:
                M[vi] = M[vi] + F[vf] * A[vi + vf - 2]
    for i, f in T.grid(4000, 3):
        with T.block("second"):
            vi, vf = T.axis.remap("SR", [i, f])
            with T.init():
                B[vi] = 0
            if 0 <= vi + vf - 1 and vi + vf - 1 < 4000:
                B[vi] = B[vi] + G[vf] * M[vi + vf - 1]
