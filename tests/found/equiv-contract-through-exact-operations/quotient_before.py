from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((3,), "float32"), B: T.Buffer((2,), "float32")):
    x: T.float32 = (A[0] * A[1]) / T.float32(1)
    y: T.float32 = x + A[2]
    B[0] = y
    B[1] = y
