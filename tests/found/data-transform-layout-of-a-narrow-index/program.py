@T.prim_func
def main(F: T.Buffer((1,), "int8"), B: T.Buffer((1,), "int32")):
    A = T.alloc_buffer((66,), "int32")
    for i in range(66):
        A[i] = i
    if F[0] >= T.int8(62) and F[0] < T.int8(66):
        B[0] = A[F[0]]
