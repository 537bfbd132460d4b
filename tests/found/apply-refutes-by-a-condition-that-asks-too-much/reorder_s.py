sch.reorder(sch.get_loop("j"), sch.get_loop("i"))
