from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32"), n: T.int32):
    T.assume(n >= 0)
    T.assume(A[0] == n)
    T.assume(A[0] < 4)
    A[0] = 7
    B[n] = 1
