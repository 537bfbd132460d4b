@T.prim_func
def before(A: T.Buffer((2, 4), "float32"), B: T.Buffer((2, 4), "float32")):
    largest = T.alloc_buffer((2,), "float32")
    total = T.alloc_buffer((2,), "float32")
    for i, k in T.grid(2, 4):
        with T.block("largest"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                largest[vi] = T.min_value("float32")
            largest[vi] = T.max(largest[vi], A[vi, vk])
    for i, k in T.grid(2, 4):
        with T.block("total"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                total[vi] = T.float32(0)
            total[vi] = total[vi] + T.exp(A[vi, vk] - largest[vi])
    for i, k in T.grid(2, 4):
        B[i, k] = T.exp(A[i, k] - largest[i]) / total[i]


@T.prim_func
def right(A: T.Buffer((2, 4), "float32"), B: T.Buffer((2, 4), "float32")):
    for i in T.parallel(2):
        largest = T.alloc_buffer((1,), "float32")
        total = T.alloc_buffer((1,), "float32")
        e = T.alloc_buffer((4,), "float32")
        largest[0] = T.min_value("float32")
        for k in range(4):
            largest[0] = T.max(largest[0], A[i, k])
        total[0] = T.float32(0)
        for k in range(4):
            e[k] = T.exp(A[i, k] - largest[0])
            total[0] = total[0] + e[k]
        for k in range(4):
            B[i, k] = e[k] / total[0]


# Without the largest value.
@T.prim_func
def wrong(A: T.Buffer((2, 4), "float32"), B: T.Buffer((2, 4), "float32")):
    total = T.alloc_buffer((2,), "float32")
    for i in range(2):
        total[i] = T.float32(0)
        for k in range(4):
            total[i] = total[i] + T.exp(A[i, k])
        for k in range(4):
            B[i, k] = T.exp(A[i, k]) / total[i]


# The product with the reciprocal.
@T.prim_func
def wrong_2(A: T.Buffer((2, 4), "float32"), B: T.Buffer((2, 4), "float32")):
    for i in range(2):
        largest = T.alloc_buffer((1,), "float32")
        total = T.alloc_buffer((1,), "float32")
        largest[0] = T.min_value("float32")
        for k in range(4):
            largest[0] = T.max(largest[0], A[i, k])
        total[0] = T.float32(0)
        for k in range(4):
            total[0] = total[0] + T.exp(A[i, k] - largest[0])
        for k in range(4):
            B[i, k] = T.exp(A[i, k] - largest[0]) * (T.float32(1) / total[0])
