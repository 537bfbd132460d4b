sch.vectorize(sch.get_loop("i"))
