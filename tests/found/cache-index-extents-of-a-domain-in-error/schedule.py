sch.cache_index("b", "global")
