@T.prim_func
def f(n: T.int32, x: T.float64, y: T.float64, O: T.Buffer((1,), "int32")):
    T.assume(x * x + x * y + y * y <= T.float64(100.0))
    if n > 5:
        A = T.alloc_buffer((n - 3,), "int8")
        O[0] = T.Cast("int32", x)
