sch.storage_align("W", 0, 0, 128, 0)
