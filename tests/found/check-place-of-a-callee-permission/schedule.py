sch.split(sch.get_loop("i"), [None, 2])
