# Inputs on which `before` reads an uninitialised cell are excluded: there, anything goes.
# one-way: after takes inputs that before does not
@T.prim_func
def before(A: T.Buffer((2,), "int32"), B: T.Buffer((2,), "int32")):
    S = T.alloc_buffer((2,), "int32")
    for i in range(2):
        if A[i] != 0:
            S[i] = A[i] * 2
        B[i] = S[i]


@T.prim_func
def right(A: T.Buffer((2,), "int32"), B: T.Buffer((2,), "int32")):
    for i in range(2):
        B[i] = T.Select(A[i] == 0, 12345, A[i] * 2)


@T.prim_func
def wrong(A: T.Buffer((2,), "int32"), B: T.Buffer((2,), "int32")):
    for i in range(2):
        B[i] = T.Select(A[i] == 1, 12345, A[i] * 2)
