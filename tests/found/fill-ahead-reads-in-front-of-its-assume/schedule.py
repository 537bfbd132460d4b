sch.make_async(sch.get_loop("i"), slots=2)
