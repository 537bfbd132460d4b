@T.prim_func
def main(B: T.Buffer((64,), "int32"), n: T.int32):
    T.assume(n >= 4 and n <= 8)
    A = T.alloc_buffer((64,), "int32")
    for i, j in T.grid(8, 8):
        if j < n:
            if i < n:
                A[i * 8 + j] = 0
    for i, j in T.grid(8, 8):
        if j < n:
            B[i * 8 + j] = A[i * 8 + j]
