sch.parallel(sch.get_loops("c")[0])
