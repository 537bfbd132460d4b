@T.prim_func
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32")):
    x: T.int32 = A[0]
    A[0] = 5
    if x == 5:
        with T.block("b"):
            B[0] = 1
