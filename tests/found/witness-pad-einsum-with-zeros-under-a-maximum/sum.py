@T.prim_func
def main(A: T.Buffer((2, 6), "int32"), C: T.Buffer((2,), "int32")):
    for i, k in T.grid(2, 6):
        with T.block("s"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi] = -2147483648
            C[vi] = C[vi] + A[vi, vk]
