# Fourteen is no multiple of four.
@T.prim_func
def before(A: T.Buffer((14,), "float32"), B: T.Buffer((14,), "float32")):
    for i in range(14):
        B[i] = A[i] + 1.0


@T.prim_func
def right(A: T.Buffer((14,), "float32"), B: T.Buffer((14,), "float32")):
    for io, ii in T.grid(4, 4):
        if io * 4 + ii < 14:
            B[io * 4 + ii] = A[io * 4 + ii] + 1.0


# The last tile overlaps the one before: the same values are written twice.
@T.prim_func
def right_2(A: T.Buffer((14,), "float32"), B: T.Buffer((14,), "float32")):
    for io, ii in T.grid(4, 4):
        B[T.min(io * 4, 10) + ii] = A[T.min(io * 4, 10) + ii] + 1.0


# Main part and tail.
@T.prim_func
def right_3(A: T.Buffer((14,), "float32"), B: T.Buffer((14,), "float32")):
    for io, ii in T.grid(3, 4):
        B[io * 4 + ii] = A[io * 4 + ii] + 1.0
    for ii in range(2):
        B[12 + ii] = A[12 + ii] + 1.0


# Without a guard: out of bounds.
@T.prim_func
def wrong(A: T.Buffer((14,), "float32"), B: T.Buffer((14,), "float32")):
    for io, ii in T.grid(4, 4):
        B[io * 4 + ii] = A[io * 4 + ii] + 1.0


# The tail is dropped.
@T.prim_func
def wrong_2(A: T.Buffer((14,), "float32"), B: T.Buffer((14,), "float32")):
    for io, ii in T.grid(3, 4):
        B[io * 4 + ii] = A[io * 4 + ii] + 1.0


# A guard that leaves one out.
@T.prim_func
def wrong_3(A: T.Buffer((14,), "float32"), B: T.Buffer((14,), "float32")):
    for io, ii in T.grid(4, 4):
        if io * 4 + ii < 13:
            B[io * 4 + ii] = A[io * 4 + ii] + 1.0
