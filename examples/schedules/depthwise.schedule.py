from tvm import tir

sch = tir.Schedule(Module)
conv = sch.get_block("depthwise")
relu6 = sch.get_block("relu6")

sch.compute_inline("bias")

# The channels inside, a tile of 7 x 7 x 16 at a time, and what follows while it is hot.
n, h, w, c, rh, rw = sch.get_loops(conv)
ho, hi = sch.split(h, factors=[None, 7])
wo, wi = sch.split(w, factors=[None, 7])
co, ci = sch.split(c, factors=[None, 16])
sch.reorder(n, ho, wo, co, hi, wi, rh, rw, ci)
sch.reverse_compute_at(relu6, co)
init = sch.decompose_reduction(conv, rh)

sch.vectorize(ci)
sch.vectorize(sch.get_loops(init)[-1])
sch.vectorize(sch.get_loops(relu6)[-1])
sch.unroll(rh)
sch.unroll(rw)
sch.parallel(sch.fuse(n, ho))
