sch.eliminate_branch("c")
