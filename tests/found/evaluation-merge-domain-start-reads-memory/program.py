@T.prim_func
def main(M: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        for k in range(2):
            with T.block("s"):
                vi = T.axis.spatial(8, i)
                vk = T.axis.reduce((T.if_then_else(M[i] > 0, 0, -1), 5), k)
                with T.init():
                    C[vi] = 100
                C[vi] = C[vi] + vk
    for j in range(8):
        M[7 - j] = -1
