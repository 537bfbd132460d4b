# 128 x 128 as one axis, with the layouts inferred.
@T.prim_func
def before(A: T.Buffer((128, 128), "int32"), B: T.Buffer((128, 128), "int32")):
    for i, j in T.grid(128, 128):
        C = T.alloc_buffer((1, 1), "int32")
        C[0, 0] = A[i, j] * 3
        B[i, j] = C[0, 0] - A[j, i]


@T.prim_func
def right(A: T.Buffer((16384,), "int32"), B: T.Buffer((16384,), "int32")):
    for i, j in T.grid(128, 128):
        C_data = T.allocate([1], "int32", "global")
        C = T.Buffer((1,), "int32", data=C_data)
        C[0] = A[i * 128 + j] * 3
        B[i * 128 + j] = C[0] - A[j * 128 + i]


# The stride of rows is one short on one side.
@T.prim_func
def wrong(A: T.Buffer((16384,), "int32"), B: T.Buffer((16384,), "int32")):
    for i, j in T.grid(128, 128):
        C_data = T.allocate([1], "int32", "global")
        C = T.Buffer((1,), "int32", data=C_data)
        C[0] = A[i * 128 + j] * 3
        B[i * 128 + j] = C[0] - A[j * 127 + i]
