from tvm.script import tir as T

@T.prim_func
def kern(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    B[0] = A[0] * A[1] - A[2] * A[1]
