sch.reindex("b", ("read", 0))
