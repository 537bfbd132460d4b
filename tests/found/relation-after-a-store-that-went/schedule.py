sch.remove_no_op("root")
sch.transform_layout("root", "A", lambda i: [i // 4, i % 4], pad_value=0)
