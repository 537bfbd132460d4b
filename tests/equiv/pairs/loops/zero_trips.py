# Loops that run zero times, by a zero or a negative extent.
@T.prim_func
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = A[i]
        for j in range(i - 2):
            B[i] = B[i] + A[j]
    for i in range(5, 3):
        B[i] = 0
    for i in range(0):
        B[i - 1] = 0


@T.prim_func
def right(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = A[i]
    B[3] = B[3] + A[0]


# The inner loop is taken to run at least once.
@T.prim_func
def wrong(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = A[i]
        for j in range(T.max(i - 2, 1)):
            B[i] = B[i] + A[j]


# The loop from 5 to 3 is taken for one from 3 to 5.
@T.prim_func
def wrong_2(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = A[i]
    B[3] = B[3] + A[0]
    for i in range(3, 4):
        B[i] = 0
