@T.prim_func
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32")):
    C = T.alloc_buffer((1,), "int32")
    C[0] = A[0]
    for i in range(100000):
        C[0] = T.min(C[0], i + 1000)
        C[0] = T.max(C[0], -1000 - i)
    B[0] = 0
    if C[0] < 5:
        B[0] = 1
