@T.prim_func
def main(F: T.Buffer((1,), "int8"), G: T.Buffer((1,), "int8"), C: T.Buffer((1,), "int32")):
    A = T.alloc_buffer((T.int8(2), T.int8(100)), "int32")
    if F[0] == T.int8(1) and G[0] >= T.int8(28) and G[0] < T.int8(100):
        A[F[0], G[0]] = 1
        C[0] = A[F[0], G[0]]
