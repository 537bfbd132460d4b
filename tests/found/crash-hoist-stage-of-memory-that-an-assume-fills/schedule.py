sch.hoist_stage(sch.get_loop("i"), "first")
