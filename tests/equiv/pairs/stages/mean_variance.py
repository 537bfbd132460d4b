# Two sums in one loop.
@T.prim_func
def before(A: T.Buffer((2, 4), "float32"), B: T.Buffer((2, 4), "float32")):
    mean = T.alloc_buffer((2,), "float32")
    square = T.alloc_buffer((2,), "float32")
    for i in range(2):
        mean[i] = T.float32(0)
        for k in range(4):
            mean[i] = mean[i] + A[i, k]
    for i in range(2):
        square[i] = T.float32(0)
        for k in range(4):
            square[i] = square[i] + A[i, k] * A[i, k]
    for i, k in T.grid(2, 4):
        B[i, k] = (A[i, k] - mean[i] / T.float32(4)) * T.rsqrt(square[i] / T.float32(4) + T.float32(0.001))


@T.prim_func
def right(A: T.Buffer((2, 4), "float32"), B: T.Buffer((2, 4), "float32")):
    sums = T.alloc_buffer((2,), "float32")
    for i in range(2):
        sums[0] = T.float32(0)
        sums[1] = T.float32(0)
        for k in range(4):
            sums[0] = sums[0] + A[i, k]
            sums[1] = sums[1] + A[i, k] * A[i, k]
        for k in range(4):
            B[i, k] = (A[i, k] - sums[0] * T.float32(0.25)) * T.rsqrt(T.float32(0.001) + sums[1] / T.float32(4))


# The sums are cleared once.
@T.prim_func
def wrong(A: T.Buffer((2, 4), "float32"), B: T.Buffer((2, 4), "float32")):
    sums = T.alloc_buffer((2,), "float32")
    sums[0] = T.float32(0)
    sums[1] = T.float32(0)
    for i in range(2):
        for k in range(4):
            sums[0] = sums[0] + A[i, k]
            sums[1] = sums[1] + A[i, k] * A[i, k]
        for k in range(4):
            B[i, k] = (A[i, k] - sums[0] * T.float32(0.25)) * T.rsqrt(T.float32(0.001) + sums[1] / T.float32(4))
