sch.transform_layout("b", "B", lambda i: [i % 3, i % 4])
