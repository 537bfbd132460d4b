@T.prim_func
def f(n: T.Buffer((1,), "int32"), B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    T.assume(n[0] == 5)
    for i in T.serial(n[0], n[0] + 3):
        if 0 <= i and i < 8:
            B[i] = 7
    C[B[7]] = 1
