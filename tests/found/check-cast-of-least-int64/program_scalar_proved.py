@T.prim_func
def main(B: T.Buffer((4,), "int64"), x: T.float64):
    T.assume(x >= T.float64(-9223372036854775808.0))
    T.assume(x < T.float64(1000.0))
    B[0] = T.Cast("int64", x)
    if x == T.float64(-9223372036854775808.0):
        B[1] = T.int64(1)
    else:
        B[1] = T.int64(2)
