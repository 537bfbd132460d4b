sch.loop_partition(sch.get_loop("i"), [4, 4])
