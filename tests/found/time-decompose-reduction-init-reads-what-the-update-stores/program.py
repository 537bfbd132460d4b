@T.prim_func
def main(A: T.Buffer((4, 4), "int32"), M: T.Buffer((1,), "int32"), C: T.Buffer((4,), "int32")):
    for i, k in T.grid(4, 4):
        with T.block("s"):
            vi = T.axis.opaque(4, i)
            vk = T.axis.reduce(4, k)
            with T.init():
                C[vi] = M[0]
            C[vi] = C[vi] + A[vi, vk]
            M[0] = M[0] + 1
