@T.prim_func
def main(B: T.Buffer((8,), "int32"), n: T.int64, y: T.int64):
    T.assume(n > 0 and y > 0 and n < 1073741824 and y < 1073741824)
    T.assume(n < 1000 or n >= 1000 or 8 // (y % 1) > 0)
    if n * n == 2 * y * y:
        B[99] = 0
