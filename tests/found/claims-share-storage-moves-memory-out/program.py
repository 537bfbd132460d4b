@T.prim_func
def main(X: T.Buffer((4, 8), "int32"), Y: T.Buffer((4, 8), "int32")):
    b = T.alloc_buffer((8,), "int32")
    for i in range(4):
        a = T.alloc_buffer((8,), "int32")
        for j in range(8):
            with T.block("fill"):
                vi, vj = T.axis.remap("SS", [i, j])
                a[vj] = X[vi, vj]
        for j in range(8):
            with T.block("use"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = a[7 - vj]
    for j in range(8):
        b[j] = Y[0, j]
    for j in range(8):
        Y[3, j] = b[7 - j]
