sch = tir.Schedule(Module)
sch.decompose_reduction("b", sch.get_loop("j"))
