sch = tir.Schedule(Module)
sch.hoist_expression("root", conditionals=["BooleanExpression"])
