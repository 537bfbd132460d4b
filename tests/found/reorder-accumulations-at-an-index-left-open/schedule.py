sch = tir.Schedule(Module)
i, j = sch.get_loop("i"), sch.get_loop("j")
sch.reorder(j, i)
