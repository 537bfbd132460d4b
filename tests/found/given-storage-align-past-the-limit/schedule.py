sch.storage_align("a", 0, 0, 16, 5)
