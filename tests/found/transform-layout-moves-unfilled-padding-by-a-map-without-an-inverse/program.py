@T.prim_func
def main(A: T.Buffer((3,), "int32"), D: T.Buffer((3,), "int32")):
    for i in range(3):
        with T.block("D"):
            vi = T.axis.spatial(3, i)
            D[vi] = A[vi] + 1
