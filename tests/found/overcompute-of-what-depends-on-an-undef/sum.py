@T.prim_func
def main(Y: T.Buffer((1,), "float32"), Z: T.Buffer((8,), "float32")):
    U = T.alloc_buffer((8,), "float32")
    for i in range(8):
        if i < 4:
            U[i] = T.float32(2)
        else:
            U[i] = T.undef()
    Y[0] = Z[0]
    for i in range(8):
        if i < 4:
            Y[0] = Y[0] + T.max(T.float32(0), T.min(T.float32(0), U[i]))
