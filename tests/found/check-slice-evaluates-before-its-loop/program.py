@T.prim_func
def f(n: T.int64, m: T.int64, A: T.Buffer((1,), "int32")):
    for i in range(T.max(n, T.int64(5)) - T.int64(5)):
        if T.int64(10) // (n - T.int64(1)) >= T.int64(0):
            if m >= T.int64(0) and m // T.int64(2) <= T.int64(500) and n // T.int64(2) <= T.int64(500):
                if n * m >= T.int64(0):
                    A[T.if_then_else((n & m) > n, T.int64(1), T.int64(0))] = 0
