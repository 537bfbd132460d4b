sch.transform_layout(sch.get_block("b"), ("read", 0), lambda i, j: [i // 4, j // 4, i % 4, j % 4], pad_value=0)
