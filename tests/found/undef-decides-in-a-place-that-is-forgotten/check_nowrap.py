@T.prim_func
def main(O: T.Buffer((1,), "int32")):
    U = T.alloc_buffer((1,), "int32")
    U[0] = T.undef()
    O[0] = T.nowrap(U[0] * 0 + 1)
