sch.hoist_stage(1, "first")
