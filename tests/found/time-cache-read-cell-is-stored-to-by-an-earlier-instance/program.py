@T.prim_func
def main(A: T.Buffer((9,), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("c"):
            vi = T.axis.opaque(8, i)
            C[vi] = A[vi]
            if C[vi] > 0:
                A[vi + 1] = 0
