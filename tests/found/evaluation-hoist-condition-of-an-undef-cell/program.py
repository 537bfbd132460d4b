@T.prim_func
def main(O: T.Buffer((4,), "int32")):
    B = T.alloc_buffer((1,), "int32")
    B[0] = T.undef()
    for i in range(4):
        O[i] = T.Select(B[0] > 0, i, 2)
