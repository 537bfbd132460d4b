sch.eliminate_branch("b")
