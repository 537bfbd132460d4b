# 8 channels by 64 pixels in 16 vector registers: pixels are in the lanes, so that the signed weights, which stay as they
# are, are the scalar operand; four input channels at a time, eight times written out. Data are packed four channels side by side, and the output has the pixels of a row last.
conv = sch.get_block("conv")
sch.transform_layout(conv, ("read", 0), lambda n, h, w, c: [n, h, c // 4, w, c % 4])
sch.transform_layout(conv, ("write", 0), lambda n, h, w, k: [n, h, k, w])
store = sch.cache_write(conv, 0, "local")

n, h, k, w = sch.get_loops(store)
ko, ki = sch.split(k, [None, 8])
wb, lane = sch.split(w, [None, 32])
sch.reorder(h, ko, ki, wb, lane)
sch.compute_at(conv, ko)
sch.vectorize(lane)

w, k, c = sch.get_loops(conv)[-3:]
wb, lane = sch.split(w, [None, 32])
co, cu, ci = sch.split(c, [None, 8, 4])
sch.reorder(co, cu, k, wb, lane, ci)
init = sch.decompose_reduction(conv, co)
sch.vectorize(sch.get_loops(init)[-1])

sch.unroll(cu)
sch.compact_buffers()
sch.lower_blocks()
sch.remove_unit_loops()
sch.simplify()
sch.flatten_buffers()
sch.tensorize(lane, "dot_32x4_i8u8i32_vrmpy")
