@T.prim_func
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), D: T.Buffer((1000000,), "int32")):
    for i in range(1000000):
        D[i] = A[0]
    B[0] = 0
    if A[2] * A[3] == 774427 and A[1] == A[0] + 34567:
        for k in range(2):
            C = T.alloc_buffer((2, 2), "int32", strides=[T.max(T.min(k, 1), 0) + 1, 1])
            C[0, 0] = A[0]
            C[1, 0] = A[0]
            C[0, 1] = A[1]
            B[0] = B[0] + (1 - 2 * k) * C[1, 0]
