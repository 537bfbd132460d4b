@T.prim_func
def main(A: T.Buffer((4, 8), "int32"), B: T.Buffer((8,), "int32")):
    for k in range(4):
        for i in T.serial(8, annotations={"foo": k}):
            with T.block("b"):
                vi = T.axis.spatial(8, i)
                vk = T.axis.reduce(4, k)
                with T.init():
                    B[vi] = 0
                B[vi] = B[vi] + A[vk, vi]
