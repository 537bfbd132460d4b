# For x86-64 with AVX-512 VNNI (`--target host --cpu native`): 8 pixels by 32 channels in 16 vector registers, four input
# channels at a time, eight times written out. Data stay as they are (NHWC), weights are packed so that 16 output channels
# by 4 input channels are one vector.
conv = sch.get_block("conv")
sch.transform_layout(conv, ("read", 1), lambda o, i, h, w: [o // 16, h, w, i // 4, o % 16, i % 4])
store = sch.cache_write(conv, 0, "local")

n, h, w, k = sch.get_loops(store)
wo, wi = sch.split(w, [None, 8])
ko, kb, lane = sch.split(k, [None, 2, 16])
sch.reorder(ko, h, wo, wi, kb, lane)
sch.compute_at(conv, wo)
sch.vectorize(lane)

w, k, c = sch.get_loops(conv)[-3:]
kb, lane = sch.split(k, [None, 16])
co, cu, ci = sch.split(c, [None, 8, 4])
sch.reorder(co, cu, w, kb, lane, ci)
init = sch.decompose_reduction(conv, co)
sch.vectorize(sch.get_loops(init)[-1])
sch.unroll(cu)

sch.compact_buffers()
sch.lower_blocks()
sch.remove_unit_loops()
sch.simplify()
sch.flatten_buffers()
sch.tensorize(lane, "dot_16x4_vnni")
