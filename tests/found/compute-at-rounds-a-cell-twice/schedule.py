sch = tir.Schedule(Module)
i, = sch.get_loops(sch.get_block("use"))
sch.compute_at(sch.get_block("produce"), i)
