# 8 channels by 64 pixels in 16 vector registers: pixels are in the lanes, the signed weights are the scalar operand; four
# input channels at a time, four times and for all columns of the filter written out. Data are packed four channels side by side, weights too, and the
# output has the pixels of a row last. A vector of data starts at any pixel, so at any multiple of four bytes.
conv = sch.get_block("conv")
sch.transform_layout(conv, ("read", 0), lambda n, h, w, c: [n, h, c // 4, w, c % 4])
sch.transform_layout(conv, ("read", 1), lambda o, i, h, w: [o, h, w, i // 4, i % 4])
sch.transform_layout(conv, ("write", 0), lambda n, h, w, k: [n, h, k, w])
store = sch.cache_write(conv, 0, "local")

n, h, k, w = sch.get_loops(store)
ko, ki = sch.split(k, [None, 8])
wb, lane = sch.split(w, [None, 32])
sch.reorder(h, ko, ki, wb, lane)
sch.compute_at(conv, ko)
sch.vectorize(lane)

w, k, c, rh, rw = sch.get_loops(conv)[-5:]
wb, lane = sch.split(w, [None, 32])
co, cu, ci = sch.split(c, [None, 4, 4])
sch.reorder(rh, co, cu, rw, k, wb, lane, ci)
init = sch.decompose_reduction(conv, rh)
sch.vectorize(sch.get_loops(init)[-1])

sch.unroll(cu)
sch.unroll(rw)
sch.compact_buffers()
sch.lower_blocks()
sch.remove_unit_loops()
sch.simplify()
sch.flatten_buffers()
sch.tensorize(lane, "dot_32x4_i8u8i32_vrmpy", unaligned=["b"])
