# The order of a float sum.
@T.prim_func
def before(A: T.Buffer((4,), "float32"), B: T.Buffer((1,), "float32")):
    B[0] = ((A[0] + A[1]) + A[2]) + A[3]


# A sum of two is commutative.
@T.prim_func
def right(A: T.Buffer((4,), "float32"), B: T.Buffer((1,), "float32")):
    B[0] = A[3] + (A[2] + (A[1] + A[0]))


# fp: reassoc
@T.prim_func
def right_2(A: T.Buffer((4,), "float32"), B: T.Buffer((1,), "float32")):
    B[0] = (A[0] + A[1]) + (A[2] + A[3])


@T.prim_func
def wrong(A: T.Buffer((4,), "float32"), B: T.Buffer((1,), "float32")):
    B[0] = (A[0] + A[1]) + (A[2] + A[3])


@T.prim_func
def wrong_2(A: T.Buffer((4,), "float32"), B: T.Buffer((1,), "float32")):
    B[0] = ((A[1] + A[2]) + A[0]) + A[3]


# Another value altogether.
# fp: reassoc
@T.prim_func
def wrong_3(A: T.Buffer((4,), "float32"), B: T.Buffer((1,), "float32")):
    B[0] = (A[0] + A[1]) + (A[2] + A[2])
