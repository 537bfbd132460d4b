sch = tir.Schedule(Module)
sch.transform_layout("root", "A", lambda i: [i // 4, i % 4], pad_value=0)
sch.transform_layout("root", "A", lambda io, ii: [tir.min(io * 4 + ii, 14)])
