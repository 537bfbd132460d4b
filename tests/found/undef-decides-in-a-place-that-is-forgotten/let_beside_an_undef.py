from tvm.script import tir as T
@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(8):
        x = T.int32()
        if n == 3:
            T.assume(T.Let(A[x], where={x: i}) == T.undef("int32"))
        B[i] = A[i]
