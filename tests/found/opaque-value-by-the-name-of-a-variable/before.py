@T.prim_func
def main(A: T.Buffer((3,), "float32"), I: T.Buffer((1,), "int32"), B: T.Buffer((8,), "int32"), n: T.int32):
    T.func_attr({"hexproof.fp": "contract"})
    T.evaluate(T.Cast("int32", T.max(T.min(A[0] * A[1] + A[2], T.float32(7.0)), T.float32(0.0))))
    B[0] = 0
