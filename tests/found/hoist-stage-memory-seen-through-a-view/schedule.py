sch.hoist_stage([0], "first")
