# Both convolutions for one row of tiles at a time, and nothing twice: the split on the channels is as large as it may be
# (k_split = 4, h_split = 1), so that there is one outer loop, over rows of tiles.
#
#   for ho:
#     input cache                       64 Ki bytes
#     filter 1 cache                    16 Ki bytes
#     conv2d 1, requantised -> temporary  64 Ki bytes
#     filter 2 cache                    16 Ki bytes
#     conv2d 2 -> output cache          64 Ki sums
#     write back
#
# Sums are in 16 vector registers, 4 pixels by 128 channels in the first convolution and 8 by 64 in the second, four input
# channels at a time, eight times written out. Data and what stands between are NHWC8h8w32c, filters OIHW8i32o4i; the last
# axes are written as one, of a vector: the bytes of 4 pixels by 32 channels, or of 32 by 4 channels of a filter.

nhwc8h8w32c = lambda n, h, w, c: [n, h // 8, w // 8, c // 32, h % 8, w % 8 // 4, w % 4 * 32 + c % 32]
oihw8i32o4i = lambda o, i, h, w: [o // 32, i // 32, h, w, i % 32 // 4, o % 32 * 4 + i % 4]
sums = lambda n, h, w, k: [n, h // 8, w // 8, k // 32, h % 8, w % 8, k % 32]

conv1 = sch.get_block("conv1")
scale = sch.get_block("scale")
shift = sch.get_block("shift")
saturate = sch.get_block("saturate")
relu = sch.get_block("relu")
conv2 = sch.get_block("conv2")

for stage in [conv1, scale, shift, saturate]:
    sch.set_scope(stage, 0, "local")
sch.transform_layout(conv1, "data", nhwc8h8w32c)
sch.transform_layout(conv1, "filter1", oihw8i32o4i)
sch.transform_layout(conv2, "filter2", oihw8i32o4i)
input_cache = sch.cache_read(conv1, 1, "global")
filter1_cache = sch.cache_read(conv1, 2, "global")
filter2_cache = sch.cache_read(conv2, 1, "global")
write_back = sch.cache_write(conv2, 0, "global")
store = sch.cache_write(conv2, 0, "local")

# One row of tiles of the output.
n, h, w, k = sch.get_loops(write_back)
ho, hi = sch.split(h, [None, 8])
wo, wi = sch.split(w, [None, 8])
ko, lane = sch.split(k, [None, 32])
sch.reorder(ho, wo, ko, hi, wi, lane)
sch.vectorize(lane)

sch.compute_at(store, ho)
hi, w, k = sch.get_loops(store)[-3:]
wo, wi = sch.split(w, [None, 8])
ko, kb, lane = sch.split(k, [None, 2, 32])
sch.reorder(wo, ko, hi, wi, kb, lane)
sch.vectorize(lane)
sch.compute_at(conv2, hi)

sch.compute_at(relu, ho)
hi, w, k = sch.get_loops(relu)[-3:]
wo, wi = sch.split(w, [None, 4])
kb, lane = sch.split(k, [None, 32])
sch.reorder(wo, hi, kb, wi, lane)
byte = sch.fuse(wi, lane)
sch.compute_at(saturate, kb)
sch.compute_at(shift, kb)
sch.compute_at(scale, kb)
sch.compute_at(conv1, hi)
sch.compute_at(filter1_cache, ho)
sch.compute_at(filter2_cache, ho)
sch.compute_at(input_cache, ho)

products = []
for conv in [conv1, conv2]:
    wi, k, c = sch.get_loops(conv)[-3:]
    kb, lane = sch.split(k, [None, 32])
    co, cu, ci = sch.split(c, [None, 8, 4])
    sch.reorder(co, cu, wi, kb, lane, ci)
    init = sch.decompose_reduction(conv, co)
    sch.vectorize(sch.get_loops(init)[-1])
    sch.unroll(cu)
    products.append(lane)

word = sch.get_loops(scale)[-1]
sch.vectorize(sch.get_loops(shift)[-1])
narrow = sch.fuse(*sch.get_loops(saturate)[-2:])
sch.vectorize(byte)

for cache in [input_cache, filter1_cache, filter2_cache]:
    sch.vectorize(sch.get_loops(cache)[-1])
sch.transform_layout(conv2, ("read", 0), nhwc8h8w32c)
sch.transform_layout(store, ("write", 0), sums)
sch.transform_layout(write_back, ("write", 0), sums)

sch.compact_buffers()
sch.lower_blocks()
sch.remove_unit_loops()
sch.simplify()
sch.flatten_buffers()
for lane in products:
    sch.tensorize(lane, "dot_32x4_u8u8i32_vrmpy")
sch.tensorize(word, "q_multiply_32_i32_q31")
sch.tensorize(narrow, "saturate_128_i32u8")
