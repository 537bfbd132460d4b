@T.prim_func
def f(n: T.int32, m: T.int64, O: T.Buffer((1,), "int32")):
    T.assume(n <= 5)
    T.assume(m >= T.int64(0) and m < T.int64(10000))
    if m * m == T.int64(1522756):
        U = T.alloc_buffer((0,), "int32")
        for i in range(0):
            U[i] = 1
        if n > 5:
            W = T.alloc_buffer((T.uint64(9223372036854775808), 0), "int32")
            for i in range(0):
                W[i, i] = 1
        O[0] = 7
