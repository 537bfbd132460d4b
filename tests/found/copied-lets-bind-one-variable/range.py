@T.prim_func
def main(A: T.Buffer((12,), "int32"), O: T.Buffer((12,), "int32")):
    x = T.int32()
    for i in range(T.Let(x + 1, where={x: 7}), 10):
        O[i] = A[i]
