# A matrix product of 128^3, tiled, with its initial value in a block of its own.
@T.prim_func
def before(a: T.handle, b: T.handle, c: T.handle) -> None:
    A = T.match_buffer(a, (128, 128), "float32")
    B = T.match_buffer(b, (128, 128), "float32")
    C = T.match_buffer(c, (128, 128), "float32")
    for i, j, k in T.grid(128, 128, 128):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]


@T.prim_func
def right(a: T.handle, b: T.handle, c: T.handle) -> None:
    A = T.match_buffer(a, (128, 128), "float32")
    B = T.match_buffer(b, (128, 128), "float32")
    C = T.match_buffer(c, (128, 128), "float32")
    for i_0, j_0 in T.grid(16, 16):
        for i_1, j_1 in T.grid(8, 8):
            with T.block("C_init"):
                vi = T.axis.spatial(128, i_0 * 8 + i_1)
                vj = T.axis.spatial(128, j_0 * 8 + j_1)
                C[vi, vj] = T.float32(0)
        for k_0, i_1, j_1, k_1 in T.grid(32, 8, 8, 4):
            with T.block("C"):
                vi = T.axis.spatial(128, i_0 * 8 + i_1)
                vj = T.axis.spatial(128, j_0 * 8 + j_1)
                vk = T.axis.reduce(128, k_0 * 4 + k_1)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]


# One step of k is left out.
@T.prim_func
def wrong(a: T.handle, b: T.handle, c: T.handle) -> None:
    A = T.match_buffer(a, (128, 128), "float32")
    B = T.match_buffer(b, (128, 128), "float32")
    C = T.match_buffer(c, (128, 128), "float32")
    for i, j in T.grid(128, 128):
        C[i, j] = T.float32(0)
        for k in range(127):
            C[i, j] = C[i, j] + A[i, k] * B[k, j]
