# A sum and a sum of squares in one block, as TVM's reductions of tuples are.
from tvm.script import tir as T


@T.prim_func
def layernorm(
    A: T.Buffer((32, 256), "float32"),
    gamma: T.Buffer((256,), "float32"),
    beta: T.Buffer((256,), "float32"),
    B: T.Buffer((32, 256), "float32"),
):
    total = T.alloc_buffer((32,), "float32")
    squares = T.alloc_buffer((32,), "float32")
    for i, k in T.grid(32, 256):
        with T.block("sums"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                total[vi] = T.float32(0)
                squares[vi] = T.float32(0)
            total[vi] = total[vi] + A[vi, vk]
            squares[vi] = squares[vi] + A[vi, vk] * A[vi, vk]
    for i, j in T.grid(32, 256):
        with T.block("normal"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = (A[vi, vj] - total[vi] / T.float32(256)) / T.sqrt(
                squares[vi] / T.float32(256) - total[vi] / T.float32(256) * (total[vi] / T.float32(256)) + T.float32(1e-5)
            ) * gamma[vj] + beta[vj]
