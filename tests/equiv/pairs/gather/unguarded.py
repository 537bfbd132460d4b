# Inputs with an index out of bounds are excluded by `before`.
# one-way: after takes inputs that before does not
@T.prim_func
def before(A: T.Buffer((4,), "int32"), I: T.Buffer((3,), "int32"), B: T.Buffer((3,), "int32")):
    for i in range(3):
        B[i] = A[I[i]]


@T.prim_func
def right(A: T.Buffer((4,), "int32"), I: T.Buffer((3,), "int32"), B: T.Buffer((3,), "int32")):
    for i in range(3):
        B[i] = A[T.max(T.min(I[i], 3), 0)]


@T.prim_func
def right_2(A: T.Buffer((4,), "int32"), I: T.Buffer((3,), "int32"), B: T.Buffer((3,), "int32")):
    for i in range(3):
        B[i] = T.if_then_else(I[i] == 0, A[0], T.if_then_else(I[i] == 1, A[1], T.if_then_else(I[i] == 2, A[2], A[3])))


@T.prim_func
def wrong(A: T.Buffer((4,), "int32"), I: T.Buffer((3,), "int32"), B: T.Buffer((3,), "int32")):
    for i in range(3):
        B[i] = A[T.max(T.min(I[i], 2), 0)]
