@T.prim_func
def main(A: T.Buffer((10, 4), "int32"), O: T.Buffer((10,), "int32")):
    z = T.int32()
    y = T.int32()
    for i in range(T.Let(y + 9, where={y: 1})):
        for k in range(T.Let(z + 3, where={z: 1})):
            with T.block("C"):
                vi = T.axis.spatial(10, i)
                vk = T.axis.reduce(4, k)
                with T.init():
                    O[vi] = 0
                O[vi] = O[vi] + A[vi, vk] * (A[vi, vk] + 1)
