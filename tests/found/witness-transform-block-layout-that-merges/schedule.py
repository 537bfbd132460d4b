sch.transform_block_layout("b", lambda i, j: [i * 4 + j])
