@T.prim_func
def main(Y: T.Buffer((8,), "float32"), O: T.Buffer((8,), "float32"), Z: T.Buffer((8,), "float32")):
    U = T.alloc_buffer((8,), "float32")
    for i in range(8):
        if i < 4:
            U[i] = T.float32(2)
        else:
            U[i] = T.undef()
    for i in range(8):
        Y[i] = T.float32(1)
    for i in range(8):
        if i < 4:
            Y[i] = T.max(T.float32(1), T.min(T.float32(1), U[i]))
    for i in range(8):
        O[i] = Y[i] * Z[i]
