@T.prim_func
def main(B: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(8):
        T.assume(B[i] == 0)
    for i in range(2):
        B[i + n % 2] = 7
    for i in range(8):
        if i < 3:
            B[i] = 0
