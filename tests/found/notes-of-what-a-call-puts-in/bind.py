sch = tir.Schedule(Module)
sch.work_on("g")
sch.bind(sch.get_loop("s"), "threadIdx.x")
