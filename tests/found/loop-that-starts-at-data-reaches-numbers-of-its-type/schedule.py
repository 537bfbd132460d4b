sch.simplify()
