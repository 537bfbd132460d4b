sch = tir.Schedule(Module)
sch.inline_lets()
