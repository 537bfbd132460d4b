sch = tir.Schedule(Module)
sch.fuse(sch.get_loop("i"), sch.get_loop("j"))
