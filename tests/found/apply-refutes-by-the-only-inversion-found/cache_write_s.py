sch.cache_write("P", 0, "local")
