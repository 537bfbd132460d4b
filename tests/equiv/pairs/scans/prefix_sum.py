@T.prim_func
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    B[0] = A[0]
    for i in range(1, 8):
        B[i] = B[i - 1] + A[i]


@T.prim_func
def right(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in T.parallel(8):
        B[i] = 0
        for k in range(i + 1):
            B[i] = B[i] + A[i - k]


# By doubling the distance.
@T.prim_func
def right_2(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = A[i]
    for d in range(3):
        for i in range(8):
            if 7 - i >= T.shift_left(1, d):
                B[7 - i] = B[7 - i] + B[7 - i - T.shift_left(1, d)]


# The steps of doubling run upwards, so sums are used twice.
@T.prim_func
def wrong(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = A[i]
    for d in range(3):
        for i in range(8):
            if i >= T.shift_left(1, d):
                B[i] = B[i] + B[i - T.shift_left(1, d)]


# Without the cell itself.
@T.prim_func
def wrong_2(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in T.parallel(8):
        B[i] = 0
        for k in range(i):
            B[i] = B[i] + A[i - k]
