@T.prim_func
def main(A: T.Buffer((3,), "float32"), B: T.Buffer((1,), "float32")):
    x: T.float32 = A[0] + A[1] + A[2]
    B[0] = x * x + T.float32(0)
