sch.reindex_cache_read("b", 0, "global", lambda v: [v])
