@T.prim_func
def before(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32")):
    for i in range(4):
        C[i] = (A[i] + B[i]) * T.float32(3)


@T.prim_func
def right(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32")):
    for i in range(4):
        C[i] = T.float32(3) * (B[i] + A[i])


@T.prim_func
def wrong(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32")):
    for i in range(4):
        C[i] = A[i] * T.float32(3) + B[i] * T.float32(3)
