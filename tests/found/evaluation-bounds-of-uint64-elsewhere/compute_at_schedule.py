sch = tir.Schedule(Module)
sch.compute_at("P", sch.get_loops("C")[0])
