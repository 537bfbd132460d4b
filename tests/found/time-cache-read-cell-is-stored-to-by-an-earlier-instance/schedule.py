sch.cache_read("c", "A", "local")
