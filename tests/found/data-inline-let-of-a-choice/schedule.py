sch.inline_lets()
sch.simplify()
