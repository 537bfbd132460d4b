sch.transform_layout("copy", ("read", 0), lambda i0, i1: [(i0 + 2) // 3, i1, (i0 + 2) % 3])
sch.transform_layout("copy", ("read", 0), lambda i0, i1, i2: [i0, i1 // 3, i2, i1 % 3], pad_value=5)
