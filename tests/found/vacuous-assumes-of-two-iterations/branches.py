@T.prim_func
def main(n: T.int32, m: T.int32, D: T.Buffer((4,), "int32")):
    if m > 0:
        T.assume(n > 3)
    if m <= 0:
        T.assume(n > 3)
    if m > -10:
        T.assume(n < 2)
    if m < 10:
        T.assume(n < 2)
    D[0] = 1
