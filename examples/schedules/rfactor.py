from tvm.script import tir as T


@T.prim_func
def total(A: T.Buffer((4096,), "int32"), B: T.Buffer((1,), "int32")):
    for i, k in T.grid(1, 4096):
        with T.block("B"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = 0
            B[vi] = B[vi] + A[vk]
