# 128 x 128: split, reordered, vectorized.
@T.prim_func
def before(a: T.handle, b: T.handle) -> None:
    A = T.match_buffer(a, (128, 128), "float32")
    B = T.match_buffer(b, (128, 128), "float32")
    for i, j in T.grid(128, 128):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj])
            T.writes(B[vi, vj])
            B[vi, vj] = A[vi, vj] * T.float32(2) + T.float32(1)


@T.prim_func
def right(a: T.handle, b: T.handle) -> None:
    A = T.match_buffer(a, (128, 128), "float32")
    B = T.match_buffer(b, (128, 128), "float32")
    for i_0 in T.parallel(16):
        for j_0, i_1 in T.grid(4, 8):
            for j_1 in T.vectorized(32):
                with T.block("B"):
                    vi = T.axis.spatial(128, i_0 * 8 + i_1)
                    vj = T.axis.spatial(128, j_0 * 32 + j_1)
                    T.reads(A[vi, vj])
                    T.writes(B[vi, vj])
                    B[vi, vj] = A[vi, vj] * T.float32(2) + T.float32(1)


# The inner part of the column has the factor of the row.
@T.prim_func
def wrong(a: T.handle, b: T.handle) -> None:
    A = T.match_buffer(a, (128, 128), "float32")
    B = T.match_buffer(b, (128, 128), "float32")
    for i_0 in T.parallel(16):
        for j_0, i_1 in T.grid(4, 8):
            for j_1 in range(32):
                with T.block("B"):
                    vi = T.axis.spatial(128, i_0 * 8 + i_1)
                    vj = T.axis.spatial(128, j_0 * 8 + j_1)
                    B[vi, vj] = A[vi, vj] * T.float32(2) + T.float32(1)
