sch = tir.Schedule(Module)
sch.transform_layout("b", ("read", 0), lambda i, j: [i, j // 3, j % 3], pad_value=T.undef())
