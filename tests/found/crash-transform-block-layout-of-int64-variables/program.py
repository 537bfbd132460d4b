@T.prim_func
def f(A: T.Buffer((T.int64(24), T.int64(5)), "int32"), C: T.Buffer((T.int64(24),), "int32")):
    for i in T.serial(T.int64(0), T.int64(24)):
        for k in T.serial(T.int64(0), T.int64(5)):
            with T.block("b"):
                vi = T.axis.spatial(T.int64(24), i)
                vk = T.axis.reduce(T.int64(5), k)
                with T.init():
                    C[vi] = 0
                C[vi] = C[vi] + A[vi, vk]
