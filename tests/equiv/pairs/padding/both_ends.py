# A window of three over twelve values, that stand in 16 cells with two of padding at each end.
# layout: A = lambda i: [(i + 2) // 4, (i + 2) % 4]
# pad: A = 0
@T.prim_func
def before(A: T.Buffer((12,), "int32"), B: T.Buffer((12,), "int32")):
    for i in range(12):
        B[i] = 0
        for t in range(3):
            if 0 <= i + t - 1 and i + t - 1 < 12:
                B[i] = B[i] + A[i + t - 1]


# The padding is zero, so no guard is needed.
@T.prim_func
def right(A: T.Buffer((4, 4), "int32"), B: T.Buffer((12,), "int32")):
    for i in range(12):
        B[i] = 0
        for t in range(3):
            B[i] = B[i] + A[(i + t + 1) // 4, (i + t + 1) % 4]


@T.prim_func
def right_2(A: T.Buffer((4, 4), "int32"), B: T.Buffer((12,), "int32")):
    for i in range(12):
        B[i] = A[(i + 1) // 4, (i + 1) % 4] + A[(i + 2) // 4, (i + 2) % 4] + A[(i + 3) // 4, (i + 3) % 4]


# The offset of the layout was forgotten.
@T.prim_func
def wrong(A: T.Buffer((4, 4), "int32"), B: T.Buffer((12,), "int32")):
    for i in range(12):
        B[i] = 0
        for t in range(3):
            B[i] = B[i] + A[(i + t) // 4, (i + t) % 4]


# The padding holds a one.
# pad: A = 1
@T.prim_func
def wrong_2(A: T.Buffer((4, 4), "int32"), B: T.Buffer((12,), "int32")):
    for i in range(12):
        B[i] = 0
        for t in range(3):
            B[i] = B[i] + A[(i + t + 1) // 4, (i + t + 1) % 4]


# The padding holds anything.
# pad: A = undef
@T.prim_func
def wrong_3(A: T.Buffer((4, 4), "int32"), B: T.Buffer((12,), "int32")):
    for i in range(12):
        B[i] = 0
        for t in range(3):
            B[i] = B[i] + A[(i + t + 1) // 4, (i + t + 1) % 4]
