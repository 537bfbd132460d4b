i, = sch.get_loops("b")
io, ii = sch.split(i, factors=[None, 5])
iio, iii = sch.split(ii, factors=[None, 4])
sch.cache_write("b", 0, "global")
