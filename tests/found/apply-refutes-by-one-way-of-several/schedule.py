sch.cache_write("c", 0, "global")
