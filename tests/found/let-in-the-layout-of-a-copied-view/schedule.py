sch.loop_partition(sch.get_loop("i"), [2, None])
