# All comparisons but != are false on a NaN.
@T.prim_func
def before(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        C[i] = T.Select(A[i] < B[i], 1, 0)


@T.prim_func
def right(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        C[i] = T.Select(B[i] > A[i], 1, 0)


@T.prim_func
def right_2(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        C[i] = 0
        if A[i] <= B[i]:
            if not (A[i] == B[i]):
                C[i] = 1


@T.prim_func
def wrong(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        C[i] = T.Select(A[i] >= B[i], 0, 1)


# A difference may round to zero only where numbers are equal, but infinity minus infinity is a NaN.
@T.prim_func
def wrong_2(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        C[i] = T.Select(B[i] - A[i] <= T.float32(0), 0, 1)
