sch = tir.Schedule(Module)
sch.apply_pass("tir.RemoveAssume")
