@T.prim_func
def main(A: T.Buffer((16,), "int32"), idx: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    T.assume(idx[0] >= 0 and idx[0] < 16)
    for i in range(16):
        C = T.alloc_buffer((1,), "int32")
        C[0] = A[idx[i]]
        B[i] = C[0] * 2
        if i < 15:
            T.assume(idx[i + 1] >= 0 and idx[i + 1] < 16)
