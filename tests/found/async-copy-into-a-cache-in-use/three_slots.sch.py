sch.make_async(sch.get_loop("ho"), slots=3)
