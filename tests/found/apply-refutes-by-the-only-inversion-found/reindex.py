@T.prim_func
def main(A: T.Buffer((64,), "int32"), O: T.Buffer((64,), "int32")):
    for i in range(64):
        with T.block("B"):
            vi = T.axis.spatial(64, (i * 3) % 64)
            O[vi] = A[vi]
