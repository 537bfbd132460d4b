sch = tir.Schedule(Module)
sch.transform_layout("root", "A", lambda i, j: [i // 4, i % 4])
