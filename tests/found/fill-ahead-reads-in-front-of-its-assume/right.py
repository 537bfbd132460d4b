@T.prim_func
def main(A: T.Buffer((16,), "int32"), idx: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for k in range(16):
        T.assume(idx[k] >= 0 and idx[k] < 16)
    for i in range(16):
        C = T.alloc_buffer((1,), "int32")
        C[0] = A[idx[i]]
        B[i] = C[0] * 2
        if i < 15:
            T.assume(A[i + 1] < 1000)
