sch.rfactor(sch.get_loops("s")[1], 0)
