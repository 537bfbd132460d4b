# A temporary that is written only where a condition on data holds.
@T.prim_func
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    S = T.alloc_buffer((4,), "int32")
    for i in range(4):
        if A[i] > 0:
            S[i] = A[i]
    for i in range(4):
        if A[i] > 1:
            B[i] = S[i]


@T.prim_func
def right(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        if A[i] > 1:
            B[i] = A[i]


# Zero is read too.
@T.prim_func
def wrong(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    S = T.alloc_buffer((4,), "int32")
    for i in range(4):
        if A[i] > 0:
            S[i] = A[i]
    for i in range(4):
        if A[i] >= 0:
            x: T.int32 = S[i]
            if A[i] > 1:
                B[i] = x
