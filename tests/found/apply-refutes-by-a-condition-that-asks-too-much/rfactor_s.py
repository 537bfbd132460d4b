sch.rfactor(sch.get_loops("C")[1], 0)
