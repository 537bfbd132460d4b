@T.prim_func
def main(Y: T.Buffer((8,), "int32"), O: T.Buffer((8,), "int32"), n: T.int32):
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
            Y[i] = U[i] % 1
    for i in range(8):
        O[Y[i] + i] = i
