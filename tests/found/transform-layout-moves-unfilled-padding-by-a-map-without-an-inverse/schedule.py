sch.transform_layout("D", "A", lambda i: [i // 2, i % 2])
sch.transform_layout("D", "A", lambda i, j: [((i * 2 + j) * 3) % 4])
