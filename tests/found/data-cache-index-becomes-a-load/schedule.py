sch.cache_index("b", "global", 0)
