sch.transform_layout("a", "A", lambda i: [i % 4, i // 4])
