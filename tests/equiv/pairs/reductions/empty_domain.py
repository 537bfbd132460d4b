# Where a reduction has no instance, its T.init does not run.
@T.prim_func
def before(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        for k in range(i):
            with T.block("sum"):
                vi = T.axis.spatial(4, i)
                vk = T.axis.reduce(4, k)
                with T.init():
                    B[vi] = 0
                B[vi] = B[vi] + A[vi, vk]


@T.prim_func
def right(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(1, 4):
        B[i] = 0
        for k in range(i):
            B[i] = B[i] + A[i, k]


# B[0] is cleared although nothing is summed there.
@T.prim_func
def wrong(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = 0
        for k in range(i):
            B[i] = B[i] + A[i, k]
