# The loops and caches of schedule_k1_h1.py for a machine with vectors, and inside them 8 pixels by 32 channels of sums in
# vector registers. The sums of a pixel run over the input channels in the order of the program. Of the filters the 32
# output channels stand side by side.
#
#   for ko, ho:
#     input cache                       64 Ki elements
#     for ko_1:
#       filter 1 cache                   4 Ki elements
#       conv2d 1 -> temporary           64 Ki elements
#     filter 2 cache                     4 Ki elements
#     conv2d 2 -> output cache          16 Ki elements
#     write back

nhwc8h8w32c = lambda n, h, w, c: [n, h // 8, w // 8, c // 32, h % 8, w % 8, c % 32]
oihw32i32o = lambda o, i, h, w: [o // 32, i // 32, h, w, i % 32, o % 32]

conv1 = sch.get_block("conv1")
conv2 = sch.get_block("conv2")

input_cache = sch.cache_read(conv1, 0, "global")
filter1_cache = sch.cache_read(conv1, 1, "global")
filter2_cache = sch.cache_read(conv2, 1, "global")
write_back = sch.cache_write(conv2, 0, "global")
store2 = sch.cache_write(conv2, 0, "local")
store1 = sch.cache_write(conv1, 0, "local")

# The tiles of the output.
n, h, w, k = sch.get_loops(write_back)
ho, hi = sch.split(h, [None, 8])
wo, wi = sch.split(w, [None, 8])
ko, ki = sch.split(k, [None, 32])
sch.reorder(ko, ho, wo, hi, wi, ki)

# Both convolutions for one row of tiles. All channels of the first are inputs of the second.
sch.compute_at(store2, ho)
hi, w, ki = sch.get_loops(store2)[-3:]
wo, wi = sch.split(w, [None, 8])
sch.reorder(wo, hi, wi, ki)
sch.compute_at(conv2, hi)
sch.vectorize(ki)

sch.compute_at(store1, ho)
hi, w, k = sch.get_loops(store1)[-3:]
wo, wi = sch.split(w, [None, 8])
ko_1, ki = sch.split(k, [None, 32])
sch.reorder(ko_1, wo, hi, wi, ki)
sch.compute_at(conv1, hi)
sch.vectorize(ki)

sch.compute_at(filter1_cache, ko_1)
sch.compute_at(filter2_cache, ho)
sch.compute_at(input_cache, ho)

for conv in [conv1, conv2]:
    wi, ki, rc = sch.get_loops(conv)[-3:]
    rco, rci = sch.split(rc, [None, 32])
    sch.reorder(rco, rci, wi, ki)
    init = sch.decompose_reduction(conv, rco)
    sch.vectorize(sch.get_loops(init)[-1])
    sch.vectorize(ki)

# The copies run along the packed layouts.
hi, w, c = sch.get_loops(input_cache)[-3:]
wo, wi = sch.split(w, [None, 8])
co, ci = sch.split(c, [None, 32])
sch.reorder(wo, co, hi, wi, ci)
for cache in [filter1_cache, filter2_cache]:
    ki, i = sch.get_loops(cache)[-2:]
    co, ci = sch.split(i, [None, 32])
    sch.reorder(co, ci, ki)

sch.transform_layout(conv1, ("read", 0), nhwc8h8w32c)
sch.transform_layout(conv1, ("read", 1), oihw32i32o)
sch.transform_layout(store1, ("write", 0), nhwc8h8w32c)
sch.transform_layout(conv2, ("read", 1), oihw32i32o)
sch.transform_layout(store2, ("write", 0), nhwc8h8w32c)
sch.transform_layout(filter1_cache, ("read", 0), oihw32i32o)
sch.transform_layout(filter2_cache, ("read", 0), oihw32i32o)
sch.transform_layout(write_back, ("write", 0), nhwc8h8w32c)

sch.compact_buffers()
sch.lower_blocks()
sch.remove_unit_loops()
sch.simplify()
sch.flatten_buffers()
