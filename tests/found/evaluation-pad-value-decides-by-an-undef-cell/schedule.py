sch = tir.Schedule(Module)
sch.transform_layout("root", "B", lambda i: [i // 3, i % 3], pad_value=lambda io, ii: T.if_then_else(B[0, 0] > 0, B[0, 1], B[0, 2]))
