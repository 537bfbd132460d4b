# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((9,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            A[vi + 1] = A[vi]
