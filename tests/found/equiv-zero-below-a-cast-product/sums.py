@T.prim_func
def f(X: T.Buffer((2,), "float32"), Y: T.Buffer((2,), "float32"), B: T.Buffer((1,), "float16")):
    for k in range(2):
        with T.block("B"):
            vi = T.axis.spatial(1, 0)
            vk = T.axis.reduce(2, k)
            with T.init():
                B[vi] = T.float16(0)
            B[vi] = B[vi] + T.Cast("float16", X[vk] * Y[vk])
