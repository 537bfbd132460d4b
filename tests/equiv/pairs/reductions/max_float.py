# The maximum of floats in another order: a NaN is lost or kept by where it stands.
@T.prim_func
def before(A: T.Buffer((3,), "float32"), B: T.Buffer((1,), "float32")):
    B[0] = T.max(T.max(A[0], A[1]), A[2])


@T.prim_func
def right(A: T.Buffer((3,), "float32"), B: T.Buffer((1,), "float32")):
    x: T.float32 = T.Select(A[0] > A[1], A[0], A[1])
    B[0] = T.Select(x > A[2], x, A[2])


@T.prim_func
def wrong(A: T.Buffer((3,), "float32"), B: T.Buffer((1,), "float32")):
    B[0] = T.max(A[2], T.max(A[0], A[1]))


@T.prim_func
def wrong_2(A: T.Buffer((3,), "float32"), B: T.Buffer((1,), "float32")):
    x: T.float32 = T.Select(A[0] < A[1], A[1], A[0])
    B[0] = T.Select(x < A[2], A[2], x)


# fp: nnan
# Without NaN the zeros of two signs are left: the right operand wins.
@T.prim_func
def wrong_3(A: T.Buffer((3,), "float32"), B: T.Buffer((1,), "float32")):
    B[0] = T.max(A[2], T.max(A[0], A[1]))
