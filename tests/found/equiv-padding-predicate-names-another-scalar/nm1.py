@T.prim_func
def f(a: T.handle, s: T.int32, B: T.Buffer((1,), "int32")):
    T.func_attr({"hexproof.padding.0": "lambda i: i >= n - 2"})
    n = T.int32()
    A = T.match_buffer(a, (n,), "int32")
    T.assume(s > 2000000000)
    B[0] = 0
