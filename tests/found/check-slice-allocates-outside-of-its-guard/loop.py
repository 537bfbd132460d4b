@T.prim_func
def f(m: T.int32, x: T.float64, y: T.float64, O: T.Buffer((1,), "int32")):
    T.assume(m >= 1 and m <= 1000)
    T.assume(x * x + x * y + y * y <= T.float64(100.0))
    if m > 1:
        for i in range(100 // (m - 1)):
            O[0] = T.Cast("int32", x)
