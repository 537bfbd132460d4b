@T.prim_func
def before(A: T.Buffer((4, 5), "float32"), B: T.Buffer((4,), "float32")):
    for i, k in T.grid(4, 5):
        with T.block("sum"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = T.float32(0)
            B[vi] = B[vi] + A[vi, vk]


# The initial value in a block of its own.
@T.prim_func
def right(A: T.Buffer((4, 5), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        with T.block("init"):
            vi = T.axis.spatial(4, i)
            B[vi] = T.float32(0)
        for k in range(5):
            with T.block("sum"):
                vi, vk = T.axis.remap("SR", [i, k])
                B[vi] = B[vi] + A[vi, vk]


@T.prim_func
def right_2(A: T.Buffer((4, 5), "float32"), B: T.Buffer((4,), "float32")):
    for k, i in T.grid(5, 4):
        with T.block("sum"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = T.float32(0)
            B[vi] = B[vi] + A[vi, vk]


# Without the initial value: it adds to what was there.
@T.prim_func
def wrong(A: T.Buffer((4, 5), "float32"), B: T.Buffer((4,), "float32")):
    for i, k in T.grid(4, 5):
        with T.block("sum"):
            vi, vk = T.axis.remap("SR", [i, k])
            B[vi] = B[vi] + A[vi, vk]


# A start from the first value: a -0.0 stays one.
@T.prim_func
def wrong_2(A: T.Buffer((4, 5), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = A[i, 0]
        for k in range(4):
            B[i] = B[i] + A[i, k + 1]


# The reduction runs backwards, so that the start of its range comes last.
@T.prim_func
def wrong_3(A: T.Buffer((4, 5), "float32"), B: T.Buffer((4,), "float32")):
    for i, k in T.grid(4, 5):
        with T.block("sum"):
            vi = T.axis.spatial(4, i)
            vk = T.axis.reduce(5, 4 - k)
            with T.init():
                B[vi] = T.float32(0)
            B[vi] = B[vi] + A[vi, vk]
