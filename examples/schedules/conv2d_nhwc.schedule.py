from tvm import tir

sch = tir.Schedule(Module)
pad, conv = sch.get_block("pad"), sch.get_block("conv")

# Four rows at a time, each with the padded rows that it needs.
n, h, w, k, rh, rw, rc = sch.get_loops(conv)
ho, hi = sch.split(h, factors=[None, 4])
ko, ki = sch.split(k, factors=[None, 16])
sch.reorder(n, ho, ko, hi, w, rh, rw, rc, ki)
sch.compute_at(pad, ho)

init = sch.decompose_reduction(conv, rh)
sch.vectorize(ki)
sch.vectorize(sch.get_loops(init)[-1])
sch.vectorize(sch.get_loops(pad)[-1])
sch.parallel(ho)
