sch = tir.Schedule(Module)
sch.sequential_buffer_access("root", "B")
