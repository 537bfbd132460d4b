@T.prim_func
def main(F: T.Buffer((1,), "int32"), C: T.Buffer((1,), "int32")):
    if F[0] == 4:
        m = T.allocate([F[0]], "int32", "global")
        F[0] = 100
        x: T.int32 = F[0]
        V = T.Buffer((x,), "int32", data=m)
        V[40] = 1
