# A product of matrices of bytes; the second one is transposed, so that both are read along k.
from tvm.script import tir as T


@T.prim_func
def matmul(A: T.Buffer((16, 32), "int8"), B: T.Buffer((24, 32), "int8"), C: T.Buffer((16, 24), "int32")):
    for i, j, k in T.grid(16, 24, 32):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = 0
            C[vi, vj] = C[vi, vj] + T.Cast("int32", A[vi, vk]) * T.Cast("int32", B[vj, vk])
