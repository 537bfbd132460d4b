# 4 pixels by 128 channels in 16 vector registers, so that all channels of a pixel leave together, as one vector of bytes;
# four input channels at a time, eight times written out, their weights side by side. Each stage has the registers of one
# pixel.
conv = sch.get_block("conv")
scale = sch.get_block("scale")
shift = sch.get_block("shift")
saturate = sch.get_block("saturate")
relu = sch.get_block("relu")
sch.transform_layout(conv, "weight", lambda o, i, h, w: [h, w, i // 4, o // 32, o % 32, i % 4])
for stage in [conv, scale, shift, saturate]:
    sch.set_scope(stage, 0, "local")

n, h, w, k = sch.get_loops(relu)
wo, wi = sch.split(w, [None, 4])
sch.compute_at(saturate, wi)
sch.compute_at(shift, wi)
sch.compute_at(scale, wi)
sch.compute_at(conv, wo)

kb, word = sch.split(sch.get_loops(scale)[-1], [None, 32])
kb, lane = sch.split(sch.get_loops(shift)[-1], [None, 32])
sch.vectorize(lane)
byte = sch.get_loops(saturate)[-1]
sch.vectorize(k)

w, k, c, rh, rw = sch.get_loops(conv)[-5:]
kb, lane = sch.split(k, [None, 32])
co, cu, ci = sch.split(c, [None, 8, 4])
sch.reorder(rh, rw, co, cu, w, kb, lane, ci)
init = sch.decompose_reduction(conv, rh)
sch.vectorize(sch.get_loops(init)[-1])
sch.unroll(cu)

sch.compact_buffers()
sch.lower_blocks()
sch.remove_unit_loops()
sch.simplify()
sch.flatten_buffers()
sch.tensorize(lane, "dot_32x4_u8u8i32_vrmpy")
sch.tensorize(word, "q_multiply_32_i32_q31")
sch.tensorize(byte, "saturate_128_i32u8")
