@T.prim_func
def main(B: T.Buffer((64,), "int32"), n: T.int32):
    T.assume(n >= 1 and n <= 8)
    A = T.alloc_buffer((64,), "int32")
    for i, j in T.grid(8, 4):
        A[i * n + j] = 0
    for k in range(8 * n):
        B[k] = A[k]
