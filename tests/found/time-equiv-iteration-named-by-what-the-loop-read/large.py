@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((4,), "int32"), D: T.Buffer((1000000,), "int32")):
    C = T.alloc_buffer((1,), "int32")
    L = T.alloc_buffer((8,), "int32")
    for i in range(1000000):
        D[i] = A[0]
    B[0] = 0
    if A[2] * A[3] == 774427 and A[1] == A[0] + 34567:
        B[0] = 1
        for i in range(2):
            C[0] = i
            L[2] = 0
            for j in range(4):
                if j == C[0]:
                    L[2] = 1
            B[0] = B[0] * L[2]
