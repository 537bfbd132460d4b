@T.prim_func
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32")):
    if A[0] + 1 > A[0]:
        with T.block("b"):
            B[0] = 1
