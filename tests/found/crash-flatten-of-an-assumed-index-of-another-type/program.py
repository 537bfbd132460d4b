# from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((4, 4), "int32"), O: T.Buffer((4,), "int32")):
    for i in range(T.int8(4)):
        T.assume(A[i, T.int8(1)] > 0)
    for i in range(T.int8(4)):
        with T.block("B"):
            v = T.axis.spatial(T.int8(4), i)
            O[v] = A[v, T.int8(1)]
