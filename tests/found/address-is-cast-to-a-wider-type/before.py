@T.prim_func
def f(n: T.int64, k: T.int64, A: T.Buffer((4,), "int32")):
    if n > T.int64(1000) and n < T.int64(100000) and k > T.int64(1000) and k < T.int64(100000):
        if n * T.int64(7) + k * T.int64(5) == T.int64(260027):
            A[0] = A[0]
