# from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((1,), "int32"), O: T.Buffer((2,), "float32")):
    X = T.alloc_buffer((3,), "float32")
    T.assume(A[0] >= 0 and A[0] < 3)
    T.assume(X[A[0]] == T.undef())
    O[0] = X[A[0]] + O[1]
