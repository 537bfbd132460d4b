@T.prim_func
def main(A: T.Buffer((4,), "float64"), B: T.Buffer((4,), "int64")):
    T.assume(A[0] >= T.float64(-9223372036854775808.0))
    T.assume(A[0] < T.float64(9223372036854775808.0))
    B[0] = T.Cast("int64", A[0])
