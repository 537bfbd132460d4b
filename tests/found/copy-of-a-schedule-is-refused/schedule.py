other = sch.copy()
other.unroll(other.get_loop("i"))
sch.cache_read("b", 0, "global")
