# The tile of schedule_3x3.py for signed weights and zero points, as in schedule_1x1_zero_points.py: weights are copied
# with their sign bit flipped, and the sum is one of products of bytes, in registers, and sums of the data under the
# filter at each pixel and of the weights of a channel, each in a nest of its own.
conv = sch.get_block("conv")
sch.transform_layout(conv, ("read", 1), lambda o, i, h, w: [o // 32, h, w, i // 4, o % 32 * 4 + i % 4])
flipped = sch.cache_read(conv, 1, "global")
sch.unsafe_set_dtype(flipped, 0, "uint8", flip=128)
sch.vectorize(sch.get_loops(flipped)[-1])
sch.simplify()
products, pixels, channels = sch.split_sum(conv)
sch.set_scope(products, 0, "local")
for term in ["conv_term1", "conv_term2"]:
    sch.vectorize(sch.get_loops(term)[-1])

n, h, w, k = sch.get_loops(conv)
wo, wi = sch.split(w, [None, 8])
ko, kb, lane = sch.split(k, [None, 2, 32])
sch.reorder(ko, h, wo, wi, kb, lane)
sch.compute_at(products, wo)
sch.vectorize(lane)

w, k, c, rh, rw = sch.get_loops(products)[-5:]
kb, lane = sch.split(k, [None, 32])
co, cu, ci = sch.split(c, [None, 8, 4])
sch.reorder(rh, rw, co, cu, w, kb, lane, ci)
init = sch.decompose_reduction(products, rh)
sch.vectorize(sch.get_loops(init)[-1])
sch.unroll(cu)

# The bytes under the filter at 32 pixels, each in 32 lanes, which are then added.
c = sch.get_loops(pixels)[3]
co, pixel_lane, ci = sch.split(c, [None, 32, 4])
lanes = sch.rfactor(pixel_lane, 3)
wo, pixel = sch.split(sch.get_loops(pixels)[2], [None, 32])
store = sch.cache_write(lanes, 0, "local")
sch.compute_at(store, wo)
sch.compute_at(lanes, sch.get_loops(store)[-2])
sch.vectorize(sch.get_loops(store)[-1])
init = sch.decompose_reduction(pixels, pixel)
sch.vectorize(sch.get_loops(init)[-1])
pixel_lane, ci, rh, rw = sch.get_loops(lanes)[-4:]
sch.reorder(rh, rw, pixel_lane, ci)
init = sch.decompose_reduction(lanes, rh)
sch.vectorize(sch.get_loops(init)[-1])

# The weights of 32 channels, four input channels at a time.
k, c, rh, rw = sch.get_loops(channels)
ko, channel_lane = sch.split(k, [None, 32])
co, ci = sch.split(c, [None, 4])
sch.reorder(ko, rh, rw, co, channel_lane, ci)
init = sch.decompose_reduction(channels, rh)
sch.vectorize(sch.get_loops(init)[-1])

sch.compact_buffers()
sch.lower_blocks()
sch.remove_unit_loops()
sch.simplify()
sch.flatten_buffers()
sch.tensorize(lane, "dot_32x4_u8u8i32_vrmpy")
sch.tensorize(pixel_lane, "sum_32x4_u8i32_vrmpy")
sch.tensorize(channel_lane, "sum_32x4_u8i32_vrmpy")
sch.tensorize(pixel, "sum_32x32_i32")
