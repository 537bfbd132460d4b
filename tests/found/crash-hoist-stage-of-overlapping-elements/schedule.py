sch = tir.Schedule(Module)
sch.hoist_stage(sch.get_loop("i"), name="stage")
