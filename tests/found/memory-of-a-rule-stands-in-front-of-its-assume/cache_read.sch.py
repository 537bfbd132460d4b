sch.cache_read("b", 0, "global")
