from tvm import tir

sch = tir.Schedule(Module)
i, k = sch.get_loops("B")
ko, ki = sch.split(k, factors=[None, 8])
partial = sch.rfactor(ki, factor_axis=1)
