sch = tir.Schedule(Module)
l = sch.get_loops("C")[0]
sch.compute_at("P", l)
