# As in attention: the second matrix is transposed.
from tvm.script import tir as T


@T.prim_func
def batch_matmul(
    A: T.Buffer((8, 32, 64), "float32"), B: T.Buffer((8, 48, 64), "float32"), C: T.Buffer((8, 32, 48), "float32")
):
    for b, i, j, k in T.grid(8, 32, 48, 64):
        with T.block("bmm"):
            vb, vi, vj, vk = T.axis.remap("SSSR", [b, i, j, k])
            with T.init():
                C[vb, vi, vj] = T.float32(0)
            C[vb, vi, vj] = C[vb, vi, vj] + A[vb, vi, vk] * B[vb, vj, vk]
