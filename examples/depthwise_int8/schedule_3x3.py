# A tile of pixels of a row by 128 channels: each product of bytes goes to the sums of its channel, which stand by the
# remainder of the channel by 4 and are interleaved at the end. What is best is found by `hexproof tune`: how many pixels,
# and how much is written out.
tile = 1  # tune: 1, 2, 4, 7
write_out = "both"  # tune: "rw", "both", "none"

conv = sch.get_block("conv")
store = sch.cache_write(conv, 0, "local")
n, h, w, c = sch.get_loops(store)
wo, wi = sch.split(w, [None, tile])
lane, remainder = sch.split(c, [None, 4])
sch.reorder(wo, wi, remainder, lane)
sch.compute_at(conv, wo)

loops = sch.get_loops(conv)
c, rh, rw = loops[-3:]
pixels = [loops[-4]] if tile > 1 else []
conv_lane, conv_remainder = sch.split(c, [None, 4])
sch.reorder(rh, rw, *pixels, conv_remainder, conv_lane)
init = sch.decompose_reduction(conv, rh)
sch.vectorize(sch.get_loops(init)[-1])
if write_out != "none":
    sch.unroll(rw)
if write_out == "both":
    sch.unroll(rh)
sch.transform_layout(conv, ("write", 0), lambda n, h, w, c: [n, h, w, c % 4, c // 4])

sch.compact_buffers()
sch.lower_blocks()
sch.remove_unit_loops()
sch.simplify()
sch.flatten_buffers()
sch.tensorize(conv_remainder, "multiply_add_4x32_u8u8i32")
sch.tensorize(remainder, "interleave_4x32_i32")
