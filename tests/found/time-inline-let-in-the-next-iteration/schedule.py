sch.inline_lets()
