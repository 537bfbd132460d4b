@T.prim_func
def f(A: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32"), B: T.Buffer((1,), "float32"), n: T.int32):
    for k in range(16):
        T.assume(k < n or (A[k] == C[k] and A[k] < T.float32(1e20) and A[k] > T.float32(-1e20)))
    B[0] = T.float32(0)
    for i in range(16):
        if i < n:
            B[0] = B[0] + (A[i] - C[i])
