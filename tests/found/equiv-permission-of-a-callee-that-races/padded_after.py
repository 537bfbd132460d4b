@T.prim_func
def main(A: T.Buffer((2, 4), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        B[i] = A[i // 4, i % 4] + A[1, 3]
