sch.make_async(sch.get_loop("j"), 2)
