# A condition that is tested again after its buffer was written.
@T.prim_func
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        if A[i] > 0:
            A[i] = A[i] - 1
            B[i] = A[i] + 5


@T.prim_func
def right(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        positive: T.bool = A[i] > 0
        if positive:
            A[i] = A[i] - 1
        if positive:
            B[i] = A[i] + 5


@T.prim_func
def wrong(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        if A[i] > 0:
            A[i] = A[i] - 1
        if A[i] > 0:
            B[i] = A[i] + 5
