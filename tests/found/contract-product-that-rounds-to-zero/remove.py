sch.apply_pass("tir.RemoveNoOp")
