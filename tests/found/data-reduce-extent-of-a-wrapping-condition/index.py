@T.prim_func
def main(B: T.Buffer((8,), "int32"), n: T.int32):
    T.assume(n >= 0 and n < 100)
    for i in range(8):
        if n + i < 5:
            B[i] = 1
