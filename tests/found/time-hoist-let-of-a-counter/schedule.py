sch.hoist_expression("root")
