from tvm import tir

sch = tir.Schedule(Module)
normal = sch.get_block("normal")
i, j = sch.get_loops(normal)
sch.compute_at(sch.get_block("variance"), i)
sch.compute_at(sch.get_block("mean"), i)
_, lanes = sch.split(j, factors=[None, 8])
sch.vectorize(lanes)
sch.parallel(i)
