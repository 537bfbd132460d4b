sch = tir.Schedule(Module)
sch.transform_layout("root", "C", lambda i: [i // 4, i % 4])
