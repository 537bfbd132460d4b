sch.compute_inline("b")
