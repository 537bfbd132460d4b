@T.prim_func
def f(X: T.Buffer((1,), "float32"), Y: T.Buffer((1,), "float32"), W: T.Buffer((1,), "float32"), Z: T.Buffer((1,), "float32"), O: T.Buffer((1,), "float32")):
    M = T.alloc_buffer((1,), "float32")
    B = T.alloc_buffer((1,), "float32")
    T.assume(W[0] > T.float32(0))
    M[0] = X[0] * Y[0]
    T.assume(M[0] == W[0])
    for k in range(2):
        with T.block("b"):
            vk = T.axis.opaque(2, k)
            B[0] = T.Select(vk == 0, M[0], W[0])
    with T.block("c"):
        O[0] = B[0] + Z[0]
