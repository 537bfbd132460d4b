# For x86-64 with AVX-512 (`--target host --cpu native`): 8 pixels by 32 channels in 16 vector registers, eight input
# channels at a time written out. Data stay as they are (NHWC), weights are packed so that 16 output channels are one
# vector. The sum of each output runs in the order of the program.
conv = sch.get_block("conv")
sch.transform_layout(conv, ("read", 1), lambda o, i, h, w: [o // 16, h, w, i, o % 16])
store = sch.cache_write(conv, 0, "local")

n, h, w, k = sch.get_loops(store)
wo, wi = sch.split(w, [None, 8])
ko, kb, lane = sch.split(k, [None, 2, 16])
sch.reorder(ko, h, wo, wi, kb, lane)
sch.compute_at(conv, wo)
sch.vectorize(lane)

w, k, c = sch.get_loops(conv)[-3:]
kb, lane = sch.split(k, [None, 16])
co, cu = sch.split(c, [None, 8])
sch.reorder(co, cu, w, kb, lane)
init = sch.decompose_reduction(conv, co)
for loop in [lane, sch.get_loops(init)[-1]]:
    sch.vectorize(loop)
sch.unroll(cu)

sch.compact_buffers()
sch.lower_blocks()
sch.remove_unit_loops()
sch.simplify()
sch.flatten_buffers()
