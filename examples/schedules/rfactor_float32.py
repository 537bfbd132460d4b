# The order of a float sum is free where the function grants it.
from tvm.script import tir as T


@T.prim_func
def total(A: T.Buffer((64, 256), "float32"), B: T.Buffer((64,), "float32")):
    T.func_attr({"hexproof.fp": "reassoc"})
    for i, k in T.grid(64, 256):
        with T.block("B"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = T.float32(0)
            B[vi] = B[vi] + A[vi, vk]
