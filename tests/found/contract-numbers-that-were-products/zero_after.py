@T.prim_func
def f(A: T.Buffer((1,), "float32"), B: T.Buffer((1,), "float32"), C: T.Buffer((1,), "float32"), Q: T.Buffer((1,), "float32"), O: T.Buffer((2,), "float32"), n: T.int32):
    T.func_attr({"hexproof.fp": "contract"})
    T.assume(n == 1)
    Q[0] = B[n - 1] * C[0] + T.Cast("float32", T.float16(-0.0))
    O[1] = A[0] + Q[0]
    O[0] = A[0] + (B[0] * C[0] + T.Cast("float32", T.float16(-0.0)))
