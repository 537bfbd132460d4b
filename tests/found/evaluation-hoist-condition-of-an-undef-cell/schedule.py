sch = tir.Schedule(Module)
sch.hoist_expression("root", loop=sch.get_loop("i"), conditionals=["IfElseStmt","IfElseExpr","BooleanExpression"])
