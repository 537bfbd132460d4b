sch.suggest_pad_value("root", "A", lambda i, j: [i, j // 3, j % 3])
