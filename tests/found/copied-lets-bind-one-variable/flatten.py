@T.prim_func
def main(O: T.Buffer((8,4), "int32")):
    x = T.int32()
    B = T.alloc_buffer((8, T.Let(x + 1, where={x: 3})), "int32")
    for i, j in T.grid(8, 4):
        B[i, j] = i
    for i, j in T.grid(8, 4):
        O[i, j] = B[i, j]
