# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((3,), "float32"), B: T.Buffer((2,), "float32")):
    T.func_attr({"hexproof.fp": "reassoc"})
    B[0] = A[0] + A[1] + A[2]
    B[1] = A[0] + A[1] + A[2]
