@T.prim_func
def f(A: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(8):
        T.assume(n > 0 or i > 0)
        A[i] = 8 // n
