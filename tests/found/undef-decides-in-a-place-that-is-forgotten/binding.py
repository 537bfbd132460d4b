@T.prim_func
def main(Y: T.Buffer((8,), "int32"), O: T.Buffer((8,), "int32")):
    U = T.alloc_buffer((8,), "int32")
    for i in range(8):
        if i < 4:
            U[i] = 5
        else:
            U[i] = T.undef()
    for i in range(8):
        Y[i] = 0
    for i in range(8):
        if i < 4:
            Y[i] = U[i] * 0
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            vk = T.axis.reduce(1, Y[i] % 1)
            with T.init():
                O[vi] = 0
            O[vi] = O[vi] + 1
