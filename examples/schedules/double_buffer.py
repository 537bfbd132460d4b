from tvm.script import tir as T


@T.prim_func
def scale(A: T.Buffer((64, 128), "float32"), w: T.Buffer((128,), "float32"), B: T.Buffer((64, 128), "float32")):
    for i, j in T.grid(64, 128):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * w[vj]
