sch.hoist_expression("b", conditionals=["IfElseStmt", "UsingBlockVar"])
