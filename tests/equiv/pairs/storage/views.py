# Two declarations over one memory, with strides and an offset.
@T.prim_func
def before(A: T.Buffer((12,), "int32"), B: T.Buffer((3, 2), "int32")):
    M = T.alloc_buffer((12,), "int32")
    for i in range(12):
        M[i] = A[i]
    V = T.Buffer((3, 2), "int32", data=M.data, strides=[4, 2], elem_offset=1)
    for i, j in T.grid(3, 2):
        B[i, j] = V[i, j]


@T.prim_func
def right(A: T.Buffer((12,), "int32"), B: T.Buffer((3, 2), "int32")):
    for i, j in T.grid(3, 2):
        B[i, j] = A[i * 4 + j * 2 + 1]


@T.prim_func
def wrong(A: T.Buffer((12,), "int32"), B: T.Buffer((3, 2), "int32")):
    for i, j in T.grid(3, 2):
        B[i, j] = A[i * 4 + j * 2]


@T.prim_func
def wrong_2(A: T.Buffer((12,), "int32"), B: T.Buffer((3, 2), "int32")):
    for i, j in T.grid(3, 2):
        B[i, j] = A[i * 4 + j + 1]
