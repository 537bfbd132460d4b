@T.prim_func
def main(D: T.Buffer((4,), "int32"), n: T.int32, m: T.int32):
    if n >= 0 and n < 1000 and m >= 0 and m < 1000:
        if n & m == 1010:
            D[9] = 1
        if n | m == 1010:
            D[9] = 2
