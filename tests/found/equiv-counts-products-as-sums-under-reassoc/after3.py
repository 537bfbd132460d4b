from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((2,), "float32"), B: T.Buffer((1,), "float32")):
    B[0] = (A[0] + A[1]) + (A[0] + A[0])
