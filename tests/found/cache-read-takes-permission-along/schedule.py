sch = tir.Schedule(Module)
sch.cache_read("b", "A", "local")
