@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((4,), "int32"), D: T.Buffer((1000000,), "int32")):
    for i in range(1000000):
        D[i] = B[1]
    B[0] = 0
    if B[1] * B[2] == 774427 and B[3] == B[1] + 34567:
        for j in range(2):
            B[0] = B[0] + (1 - 2 * j) * A[j + 1]
