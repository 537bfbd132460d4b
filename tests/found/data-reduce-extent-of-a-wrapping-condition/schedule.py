sch.reduce_loop_extents("root")
