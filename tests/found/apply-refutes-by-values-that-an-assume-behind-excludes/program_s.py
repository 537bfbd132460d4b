sch.cache_read("root", "A", "local")
