@T.prim_func
def f(x: T.float16, b: T.bool, A: T.Buffer((4,), "int32")):
    T.assume(x >= T.float16(0) and x < T.float16(5))
    if b:
        A[T.Cast("int32", x)] = 0
