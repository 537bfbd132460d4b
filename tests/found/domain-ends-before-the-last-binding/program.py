# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(9):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi]
