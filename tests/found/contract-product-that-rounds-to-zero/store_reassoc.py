@T.prim_func
def main(X: T.Buffer((8,), "float32"), Y: T.Buffer((8,), "float32"), Z: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    T.func_attr({"hexproof.fp": "reassoc nsz nnan ninf"})
    for i in range(8):
        A = T.alloc_buffer((1,), "float32")
        A[0] = X[i] * Y[i]
        T.assume(A[0] == T.float32(0))
        A[0] = T.float32(0)
        B[i] = A[0] * Z[i]
        A[0] = T.float32(1)
