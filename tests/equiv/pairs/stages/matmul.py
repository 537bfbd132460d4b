# A small matrix product in tiles, its accumulator in a cell of its own.
@T.prim_func
def before(A: T.Buffer((4, 6), "float32"), B: T.Buffer((6, 4), "float32"), C: T.Buffer((4, 4), "float32")):
    for i, j, k in T.grid(4, 4, 6):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]


@T.prim_func
def right(A: T.Buffer((4, 6), "float32"), B: T.Buffer((6, 4), "float32"), C: T.Buffer((4, 4), "float32")):
    for io, jo in T.grid(2, 2):
        acc = T.alloc_buffer((2, 2), "float32")
        for ii, ji in T.grid(2, 2):
            acc[ii, ji] = T.float32(0)
        for ko, ii, ji, ki in T.grid(3, 2, 2, 2):
            acc[ii, ji] = acc[ii, ji] + A[io * 2 + ii, ko * 2 + ki] * B[ko * 2 + ki, jo * 2 + ji]
        for ii, ji in T.grid(2, 2):
            C[io * 2 + ii, jo * 2 + ji] = acc[ii, ji]


# The accumulator is cleared in each step of k.
@T.prim_func
def wrong(A: T.Buffer((4, 6), "float32"), B: T.Buffer((6, 4), "float32"), C: T.Buffer((4, 4), "float32")):
    for io, jo in T.grid(2, 2):
        acc = T.alloc_buffer((2, 2), "float32")
        for ko in range(3):
            for ii, ji in T.grid(2, 2):
                acc[ii, ji] = T.float32(0)
            for ii, ji, ki in T.grid(2, 2, 2):
                acc[ii, ji] = acc[ii, ji] + A[io * 2 + ii, ko * 2 + ki] * B[ko * 2 + ki, jo * 2 + ji]
        for ii, ji in T.grid(2, 2):
            C[io * 2 + ii, jo * 2 + ji] = acc[ii, ji]


# B is taken for its transposed.
@T.prim_func
def wrong_2(A: T.Buffer((4, 6), "float32"), B: T.Buffer((6, 4), "float32"), C: T.Buffer((4, 4), "float32")):
    for i, j, k in T.grid(4, 4, 6):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vj, T.min(vk, 3)]
