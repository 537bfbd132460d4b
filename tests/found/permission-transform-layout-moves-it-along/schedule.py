sch.transform_layout("root", "S", lambda i: [i // 4, i % 4])
