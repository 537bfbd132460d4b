sch.apply_pass("tir.RemoveStoreUndef")
