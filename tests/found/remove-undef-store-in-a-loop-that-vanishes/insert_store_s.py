sch.fill_branch("b", "A", 9)
