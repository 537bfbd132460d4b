from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((64, 96), "float32"), B: T.Buffer((96, 128), "float32"), C: T.Buffer((64, 128), "float32")):
    product = T.alloc_buffer((64, 128), "float32")
    for i, j, k in T.grid(64, 128, 96):
        with T.block("product"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                product[vi, vj] = T.float32(0)
            product[vi, vj] = product[vi, vj] + A[vi, vk] * B[vk, vj]
    for i, j in T.grid(64, 128):
        with T.block("relu"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = T.max(product[vi, vj], T.float32(0))
