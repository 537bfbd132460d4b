sch.transform_layout("a", "A", lambda i: [i * 2])
