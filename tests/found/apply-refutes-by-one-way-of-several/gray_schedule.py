sch.transform_layout("c", "A", lambda i: [i ^ (i // 2)])
