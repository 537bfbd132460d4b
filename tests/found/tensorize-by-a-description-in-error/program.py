@T.prim_func
def main(A: T.Buffer((16, 32), "int8"), B: T.Buffer((16, 32), "int8"), C: T.Buffer((16, 32), "int32")):
    for i in range(16):
        for k in range(8):
            for q in range(4):
                with T.block("C"):
                    vi, vk, vq = T.axis.remap("SSR", [i, k, q])
                    C[vi, vk] = C[vi, vk] + T.Cast("int32", A[vi, vk * 4 + vq]) * T.Cast("int32", B[vi, vk * 4 + vq])
