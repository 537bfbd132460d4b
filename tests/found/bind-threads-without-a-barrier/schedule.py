sch.bind(sch.get_loop("t"), "threadIdx.x")
