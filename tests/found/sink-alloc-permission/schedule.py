sch = tir.Schedule(Module)
sch.sink_allocations()
