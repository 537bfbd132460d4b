sch.fill_branch("P", "B", 0)
