# Index arithmetic of 64 bits made one of 32: right where it fits, an error where it overflows.
@T.prim_func
def before(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in T.serial(T.int64(8)):
        B[i] = A[i * T.int64(1000000000) // T.int64(1000000000)]


@T.prim_func
def right(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        B[i] = A[i * 100000000 // 100000000]


@T.prim_func
def right_2(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        B[i] = A[T.Cast("int32", T.Cast("int64", i) * T.int64(1000000000) // T.int64(1000000000))]


# 3 * 10^9 does not fit int32.
@T.prim_func
def wrong(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        B[i] = A[i * 1000000000 // 1000000000]
