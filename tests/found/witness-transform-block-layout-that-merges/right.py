sch.transform_block_layout("b", lambda i, j: [i * 8 + j])
