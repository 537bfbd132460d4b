sch.transform_layout("b", "W", lambda i, j: [j, i])
