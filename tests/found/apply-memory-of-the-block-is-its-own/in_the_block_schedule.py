sch = tir.Schedule(Module)
sch.transform_layout("b", "C", lambda i: [i // 4, i % 4])
