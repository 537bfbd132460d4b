sch = tir.Schedule(Module)
sch.transform_layout("root", "A", lambda i: [i // 100, i % 100], pad_value=0)
