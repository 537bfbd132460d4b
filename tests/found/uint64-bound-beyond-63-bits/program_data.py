@T.prim_func
def f(C: T.Buffer((4,), "int32"), P: T.Buffer((1,), "uint64")):
    for i in T.serial(T.uint64(0), P[0]):
        if i < T.uint64(4):
            C[i] = 1
