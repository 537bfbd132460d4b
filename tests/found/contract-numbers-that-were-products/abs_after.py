@T.prim_func
def f(A: T.Buffer((1,), "float32"), U: T.Buffer((1,), "uint32"), V: T.Buffer((1,), "uint32"), Q: T.Buffer((1,), "float32"), O: T.Buffer((2,), "float32"), n: T.int32):
    T.func_attr({"hexproof.fp": "contract"})
    T.assume(n == 1)
    Q[0] = T.abs(T.Cast("float32", U[n - 1]) * T.Cast("float32", V[n - 1]))
    O[1] = A[0] + Q[0]
    O[0] = A[0] + T.abs(T.Cast("float32", U[0]) * T.Cast("float32", V[0]))
