sch.cache_write("root", "B", "local")
