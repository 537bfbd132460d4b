sch.unsafe_set_dtype("u", 0, "int8")
