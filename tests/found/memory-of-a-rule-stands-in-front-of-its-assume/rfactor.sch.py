sch.rfactor(sch.get_loop("i"), 0)
