sch.cache_read("b", "A", "local")
