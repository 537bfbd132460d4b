sch.share_storage("U", "W")
