# A sum on top of what the buffer holds.
@T.prim_func
def before(A: T.Buffer((4, 5), "int32"), B: T.Buffer((4,), "int32")):
    for i, k in T.grid(4, 5):
        with T.block("sum"):
            vi, vk = T.axis.remap("SR", [i, k])
            B[vi] = B[vi] + A[vi, vk]


# Integers: in another order.
@T.prim_func
def right(A: T.Buffer((4, 5), "int32"), B: T.Buffer((4,), "int32")):
    for k, i in T.grid(5, 4):
        B[i] = A[i, 4 - k] + B[i]


@T.prim_func
def wrong(A: T.Buffer((4, 5), "int32"), B: T.Buffer((4,), "int32")):
    for i, k in T.grid(4, 5):
        with T.block("sum"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = 0
            B[vi] = B[vi] + A[vi, vk]


# Without the first column.
@T.prim_func
def wrong_2(A: T.Buffer((4, 5), "int32"), B: T.Buffer((4,), "int32")):
    for i, k in T.grid(4, 4):
        B[i] = B[i] + A[i, k + 1]
