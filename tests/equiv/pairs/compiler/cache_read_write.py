# Tiles in caches.
@T.prim_func
def before(a: T.handle, b: T.handle) -> None:
    A = T.match_buffer(a, (128, 128), "float32")
    B = T.match_buffer(b, (128, 128), "float32")
    for i, j in T.grid(128, 128):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = T.max(A[vi, vj], T.float32(0))


@T.prim_func
def right(a: T.handle, b: T.handle) -> None:
    A = T.match_buffer(a, (128, 128), "float32")
    B = T.match_buffer(b, (128, 128), "float32")
    for io, jo in T.grid(8, 8):
        A_local = T.alloc_buffer((16, 16), "float32", scope="local")
        B_local = T.alloc_buffer((16, 16), "float32", scope="local")
        for ii, ji in T.grid(16, 16):
            A_local[ii, ji] = A[io * 16 + ii, jo * 16 + ji]
        for ii, ji in T.grid(16, 16):
            B_local[ii, ji] = T.max(A_local[ii, ji], T.float32(0))
        for ii, ji in T.grid(16, 16):
            B[io * 16 + ii, jo * 16 + ji] = B_local[ii, ji]


# Written back transposed within each tile.
@T.prim_func
def wrong(a: T.handle, b: T.handle) -> None:
    A = T.match_buffer(a, (128, 128), "float32")
    B = T.match_buffer(b, (128, 128), "float32")
    for io, jo in T.grid(8, 8):
        A_local = T.alloc_buffer((16, 16), "float32", scope="local")
        B_local = T.alloc_buffer((16, 16), "float32", scope="local")
        for ii, ji in T.grid(16, 16):
            A_local[ii, ji] = A[io * 16 + ii, jo * 16 + ji]
        for ii, ji in T.grid(16, 16):
            B_local[ii, ji] = T.max(A_local[ii, ji], T.float32(0))
        for ii, ji in T.grid(16, 16):
            B[io * 16 + ii, jo * 16 + ji] = B_local[ji, ii]
