sch.annotate(sch.get_loop("i"), "x", 1)
