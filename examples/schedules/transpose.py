from tvm.script import tir as T


@T.prim_func
def transpose(A: T.Buffer((100, 60), "float32"), B: T.Buffer((60, 100), "float32")):
    for i, j in T.grid(60, 100):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vj, vi]
