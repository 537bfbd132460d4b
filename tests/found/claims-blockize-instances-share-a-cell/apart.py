@T.prim_func
def main(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32"), D: T.Buffer((8,), "int32")):
    for io in range(2):
        for ii in range(4):
            with T.block("a"):
                vi = T.axis.spatial(8, io * 4 + ii)
                C[vi] = A[vi]
        for ii in range(4):
            with T.block("b"):
                vi = T.axis.spatial(8, io * 4 + ii)
                D[vi] = C[vi]
