@T.prim_func
def f(n: T.Buffer((1,), "int32"), K: T.Buffer((2,), "int64"), B: T.Buffer((8,), "int32")):
    T.assume(n[0] >= 0 and n[0] < 5)
    for i in T.serial(n[0], n[0] + T.if_then_else(K[0] * T.int64(6364136223846793005) == T.int64(1234567890123), 2, 3)):
        if 0 <= i and i < 8:
            B[i] = 7
