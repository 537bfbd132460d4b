sch.reindex_cache_write("b", 0, "global", lambda i, j: [i % 8, j])
