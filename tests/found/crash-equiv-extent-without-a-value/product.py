@T.prim_func
def main(B: T.Buffer((4,), "int32"), n: T.int32):
    T.assume(n >= 4 and n <= 1000)
    S = T.alloc_buffer((n * 2 - 1,), "int32")
    S[0] = 1
    B[0] = S[0]
