sch.transform_block_layout("b", lambda i, j: [i, j // 2])
