@T.prim_func
def main(n: T.int32, D: T.Buffer((4,), "int32")):
    for i in range(4):
        T.assume(n == i)
        if n != 0 and i == 0:
            D[n] = 1
    D[0] = 1
