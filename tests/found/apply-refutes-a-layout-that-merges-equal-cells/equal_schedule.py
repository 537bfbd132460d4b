sch = tir.Schedule(Module)
sch.transform_layout("root", "A", lambda i: [i // 2])
