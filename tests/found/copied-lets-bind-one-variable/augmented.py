@T.prim_func
def main(O: T.Buffer((8,), "int32")):
    x = T.int32()
    for i in range(8):
        O[T.Let(x, where={x: i})] += 1
