@T.prim_func
def main(B: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(8):
        if n != 0 and i + 8 // n > 1:
            B[i] = 1
