sch.reindex_cache_write("s0", 0, "global", lambda i: [i])
