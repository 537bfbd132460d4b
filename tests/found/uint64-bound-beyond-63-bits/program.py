@T.prim_func
def f(n: T.uint64, C: T.Buffer((4,), "int32")):
    for i in T.serial(T.uint64(0), n):
        if i < T.uint64(4):
            C[i] = 1
