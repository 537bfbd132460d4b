from tvm import tir

sch = tir.Schedule(Module)
out = sch.get_block("gelu")
while producers := sch.get_producers(out):
    sch.compute_inline(producers[-1])
fused = sch.fuse(*sch.get_loops(out))
outer, lanes = sch.split(fused, factors=[None, 16])
sch.vectorize(lanes)
sch.parallel(outer)
