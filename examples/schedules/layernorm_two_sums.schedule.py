from tvm import tir

sch = tir.Schedule(Module)
normal = sch.get_block("normal")
sums = sch.get_block("sums")
i, j = sch.get_loops(normal)
sch.compute_at(sums, i)
init = sch.decompose_reduction(sums, sch.get_loops(sums)[-1])
_, lanes = sch.split(j, factors=[None, 8])
sch.vectorize(lanes)
sch.parallel(i)
