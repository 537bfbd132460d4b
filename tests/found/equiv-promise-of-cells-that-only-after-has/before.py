@T.prim_func
def main(A: T.Buffer((6,), "float32"), D: T.Buffer((4,), "float32")):
    T.func_attr({"hexproof.fp": "nnan ninf nsz"})
    D[0] = A[0]
