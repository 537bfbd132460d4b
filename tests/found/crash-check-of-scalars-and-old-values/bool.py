@T.prim_func
def main(B: T.Buffer((4,), "int32"), n: T.int32, y: T.bool):
    T.assume(n == 4)
    B[0] = 1
