@T.prim_func
def main(Y: T.Buffer((8,), "int32"), O: T.Buffer((8,), "int32")):
    U = T.alloc_buffer((8,), "int32")
    x = T.int32()
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
        O[i] = T.Let(T.if_then_else(x > 0, 1, 2), where={x: Y[i]})
