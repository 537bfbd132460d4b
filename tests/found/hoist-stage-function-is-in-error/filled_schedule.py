sch.hoist_stage(1, "second")
sch.work_on("second")
sch.split(sch.get_loop("j"), [None, 2])
