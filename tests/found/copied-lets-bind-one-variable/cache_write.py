@T.prim_func
def main(O: T.Buffer((8,), "int32")):
    x = T.int32()
    B = T.alloc_buffer((T.Let(x + 1, where={x: 7}),), "int32")
    for i in range(8):
        B[i] = i
    for i in range(8):
        O[i] = B[i]
