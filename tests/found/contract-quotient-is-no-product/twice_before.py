@T.prim_func
def f(A: T.Buffer((1,), "float32"), B: T.Buffer((1,), "float32"), Q: T.Buffer((1,), "float32"), O: T.Buffer((2,), "float32"), n: T.int32):
    T.func_attr({"hexproof.fp": "contract"})
    T.assume(n == 1)
    Q[0] = B[0] / T.Cast("float32", 2)
    t: T.float32 = A[0] + Q[0]
    O[0] = t
    O[1] = t
