sch = tir.Schedule(Module)
sch.cache_write("b", "A", "local")
