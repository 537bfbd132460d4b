sch.unsafe_set_dtype("a", 0, "float64")
