sch.compute_inline("p")
