# The mean first, then the mean square of what differs from it.
from tvm.script import tir as T


@T.prim_func
def layernorm(
    A: T.Buffer((32, 256), "float32"),
    gamma: T.Buffer((256,), "float32"),
    beta: T.Buffer((256,), "float32"),
    B: T.Buffer((32, 256), "float32"),
):
    mean = T.alloc_buffer((32,), "float32")
    variance = T.alloc_buffer((32,), "float32")
    for i, k in T.grid(32, 256):
        with T.block("mean"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                mean[vi] = T.float32(0)
            mean[vi] = mean[vi] + A[vi, vk] * T.float32(0.00390625)
    for i, k in T.grid(32, 256):
        with T.block("variance"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                variance[vi] = T.float32(0)
            variance[vi] = variance[vi] + (A[vi, vk] - mean[vi]) * (A[vi, vk] - mean[vi]) * T.float32(0.00390625)
    for i, j in T.grid(32, 256):
        with T.block("normal"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = (A[vi, vj] - mean[vi]) / T.sqrt(variance[vi] + T.float32(1e-5)) * gamma[vj] + beta[vj]
