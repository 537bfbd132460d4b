from tvm import tir

sch = tir.Schedule(Module)
bmm = sch.get_block("bmm")
b, i, j, k = sch.get_loops(bmm)

# B comes in rows of k; the lanes are columns.
packed = sch.cache_read(bmm, 1, "global")
sch.transform_layout(bmm, ("read", 1), lambda b, j, k: [b, k, j])

io, ii = sch.split(i, factors=[None, 4])
jo, ji = sch.split(j, factors=[None, 16])
sch.reorder(b, io, jo, k, ii, ji)
sch.compute_at(packed, b)
init = sch.decompose_reduction(bmm, k)
sch.vectorize(ji)
sch.vectorize(sch.get_loops(init)[-1])
sch.unroll(ii)
sch.parallel(b)
