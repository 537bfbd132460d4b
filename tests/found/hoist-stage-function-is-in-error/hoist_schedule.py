sch.hoist_stage(2, "second")
