sch.cache_read("root", "A", "global")
