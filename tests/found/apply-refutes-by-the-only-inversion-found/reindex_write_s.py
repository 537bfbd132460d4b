sch.reindex("B", ("write", 0))
