sch.transform_block_layout("b", lambda i, k: [i * 5 + k])
