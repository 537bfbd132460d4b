i, = sch.get_loops(sch.get_block("scale"))
io, ii = sch.split(i, factors=[None, 8])
sch.vectorize(ii)
