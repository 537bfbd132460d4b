# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((3,), "float32"), B: T.Buffer((2,), "float32")):
    T.func_attr({"hexproof.fp": "contract"})
    A[0] = A[1] * A[2]
    x: T.float32 = A[0] + A[1]
    B[0] = x
    B[1] = x
