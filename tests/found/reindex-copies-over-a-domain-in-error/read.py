sch.reindex_cache_read("b", 0, "global", lambda i, j: [i % 8, j])
