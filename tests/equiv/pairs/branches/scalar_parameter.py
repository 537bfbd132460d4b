# A scalar argument decides; it is index arithmetic, which may overflow.
@T.prim_func
def before(n: T.int32, A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        if i < n:
            B[i] = A[i]


@T.prim_func
def right(n: T.int32, A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(T.min(n, 4)):
        B[i] = A[i]


# An error for a large n that before does not have.
@T.prim_func
def wrong(n: T.int32, A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(n):
        B[i] = A[i]


@T.prim_func
def wrong_2(n: T.int32, A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        if i <= n:
            B[i] = A[i]
