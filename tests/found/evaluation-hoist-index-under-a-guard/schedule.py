sch.hoist_index_expressions("root")
