@T.prim_func
def f(A: T.Buffer((8,), "int32"), P: T.Buffer((1,), "uint64")):
    n: T.uint64 = P[0]
    V = T.decl_buffer((n,), "int32", data=A.data)
    if n > T.uint64(0):
        V[T.uint64(0)] = 1
