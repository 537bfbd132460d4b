# The tile of schedule_1x1.py, with weights as they are in the program (OIHW): the kernel packs them itself, each time it
# is called, so that 32 output channels by 4 input channels are one vector.
conv = sch.get_block("conv")
packed = sch.cache_read(conv, 1, "global")
sch.transform_layout(packed, ("write", 0), lambda o, i, h, w: [o // 32, i // 4, h, w, o % 32, i % 4])
store = sch.cache_write(conv, 0, "local")

n, h, w, k = sch.get_loops(store)
wo, wi = sch.split(w, [None, 8])
ko, kb, lane = sch.split(k, [None, 2, 32])
sch.reorder(ko, h, wo, wi, kb, lane)
sch.compute_at(conv, wo)
sch.vectorize(lane)

w, k, c = sch.get_loops(conv)[-3:]
kb, lane = sch.split(k, [None, 32])
co, ci = sch.split(c, [None, 4])
sch.reorder(co, w, kb, lane, ci)
init = sch.decompose_reduction(conv, co)
sch.vectorize(sch.get_loops(init)[-1])

sch.compact_buffers()
sch.lower_blocks()
sch.remove_unit_loops()
sch.simplify()
sch.flatten_buffers()
sch.tensorize(lane, "dot_32x4_u8u8i32_vrmpy")
