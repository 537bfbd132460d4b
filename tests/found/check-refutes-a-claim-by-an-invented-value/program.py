@T.prim_func
def f(A: T.Buffer((64,), "int32")):
    P = T.alloc_buffer((8,), "int32")
    for i in range(8):
        P[i] = i * 2
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            A[P[vi]] = 1
