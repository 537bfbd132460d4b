@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), max: T.int32, max_: T.int32):
    T.func_attr({"hexproof.padding.0": "lambda i: i >= max__1"})
    T.assume(max >= 4)
    for i in range(4):
        B[i] = A[i]
