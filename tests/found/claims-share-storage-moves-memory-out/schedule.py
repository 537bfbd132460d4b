sch.share_storage("b", "a")
