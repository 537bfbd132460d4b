# Sixteen partial sums, one a lane.
from tvm import tir

sch = tir.Schedule(Module)
i, k = sch.get_loops("B")
ko, ki = sch.split(k, factors=[None, 16])
partial = sch.rfactor(ki, 0)
i, ko, ki = sch.get_loops(partial)
init = sch.decompose_reduction(partial, ko)
sch.vectorize(ki)
sch.vectorize(sch.get_loops(init)[-1])
