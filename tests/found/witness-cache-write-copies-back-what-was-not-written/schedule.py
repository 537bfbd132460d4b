sch.cache_write("b", "A", "local")
