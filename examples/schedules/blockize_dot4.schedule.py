# Four products at a time are a block of their own, and the instruction that computes it.
from tvm import tir

DOT4 = """
@T.prim_func
def dot4(a: T.Buffer((4,), "int8"), b: T.Buffer((4,), "int8"), c: T.Buffer((1,), "int32")):
    for k in range(4):
        with T.block("dot"):
            vk = T.axis.reduce(4, k)
            c[0] = c[0] + T.Cast("int32", a[vk]) * T.Cast("int32", b[vk])
"""
tir.TensorIntrin.register("dot4_s8s8s32", DOT4, DOT4, override=True)

sch = tir.Schedule(Module)
block = sch.get_block("C")
i, j, k = sch.get_loops(block)
ko, ki = sch.split(k, factors=[None, 4])
init = sch.decompose_reduction(block, ko)
dot = sch.blockize(ki)
sch.tensorize(dot, "dot4_s8s8s32")
sch.parallel(i)
