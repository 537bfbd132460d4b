sch.split(sch.get_loop("i"),factors=[None,4])
