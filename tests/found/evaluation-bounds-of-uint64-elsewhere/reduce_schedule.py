sch = tir.Schedule(Module)
sch.reduce_loop_extents("root")
