@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((4,), "int32")):
    B[0] = 0
    for j in range(2):
        B[0] = B[0] + (1 - 2 * j) * A[1]
