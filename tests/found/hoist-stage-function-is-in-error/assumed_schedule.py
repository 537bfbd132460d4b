sch.hoist_stage(2, "second")
sch.work_on("second")
sch.split(sch.get_loop("i"), [None, 2])
