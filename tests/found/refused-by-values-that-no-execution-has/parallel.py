sch.parallel(sch.get_loop("i"))
