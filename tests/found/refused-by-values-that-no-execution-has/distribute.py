sch.distribute(sch.get_loop("i"), 1)
