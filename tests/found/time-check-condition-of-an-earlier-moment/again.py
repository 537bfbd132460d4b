@T.prim_func
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32")):
    x: T.int32 = A[0]
    if x >= 0 and x < 3:
        A[0] = x + 1
        B[A[0]] = 1
