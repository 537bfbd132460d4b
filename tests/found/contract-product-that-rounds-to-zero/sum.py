@T.prim_func
def main(X: T.Buffer((8,), "float32"), Y: T.Buffer((8,), "float32"), n: T.int32, B: T.Buffer((1,), "float32")):
    T.func_attr({"hexproof.fp": "contract nsz"})
    B[0] = T.float32(0)
    for i in range(8):
        T.assume(i < n or X[i] * Y[i] == T.float32(0))
        if i < n:
            B[0] = B[0] + X[i] * Y[i]
