sch.share_storage("u", "t")
