# The baseline schedule: k_split = 1, h_split = 1.
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
oihw8i32o4i = lambda o, i, h, w: [o // 32, i // 32, h, w, (i % 32) // 4, o % 32, i % 4]

conv1 = sch.get_block("conv1")
conv2 = sch.get_block("conv2")

input_cache = sch.cache_read(conv1, 0, "global")
filter1_cache = sch.cache_read(conv1, 1, "global")
filter2_cache = sch.cache_read(conv2, 1, "global")
write_back = sch.cache_write(conv2, 0, "global")

# The tiles of the output.
n, h, w, k = sch.get_loops(write_back)
ho, hi = sch.split(h, [None, 8])
wo, wi = sch.split(w, [None, 8])
ko, ki = sch.split(k, [None, 32])
sch.reorder(ko, ho, wo, hi, wi, ki)

# Both convolutions for one row of tiles. All channels of the first are inputs of the second.
sch.compute_at(conv2, ho)
sch.compute_at(conv1, ho)

hi, w, ki, rc = sch.get_loops(conv2)[-4:]
wo, wi = sch.split(w, [None, 8])
rco, rci = sch.split(rc, [None, 32])
sch.reorder(wo, rco, hi, wi, ki, rci)
init2 = rco

hi, w, k, rc = sch.get_loops(conv1)[-4:]
wo, wi = sch.split(w, [None, 8])
ko_1, ki = sch.split(k, [None, 32])
rco, rci = sch.split(rc, [None, 32])
sch.reorder(ko_1, wo, rco, hi, wi, ki, rci)
init1 = rco

sch.compute_at(filter1_cache, ko_1)
sch.compute_at(filter2_cache, ho)
sch.compute_at(input_cache, ho)

# The copies run along the packed layouts.
hi, w, c = sch.get_loops(input_cache)[-3:]
wo, wi = sch.split(w, [None, 8])
co, ci = sch.split(c, [None, 32])
sch.reorder(wo, co, hi, wi, ci)
for cache in [filter1_cache, filter2_cache]:
    ki, i = sch.get_loops(cache)[-2:]
    co, cio, cii = sch.split(i, [None, 8, 4])
    sch.reorder(co, cio, ki, cii)

sch.transform_layout(conv1, ("read", 0), nhwc8h8w32c)
sch.transform_layout(conv1, ("read", 1), oihw8i32o4i)
sch.transform_layout(conv1, ("write", 0), nhwc8h8w32c)
sch.transform_layout(conv2, ("read", 1), oihw8i32o4i)
sch.transform_layout(conv2, ("write", 0), nhwc8h8w32c)
sch.transform_layout(filter1_cache, ("read", 0), oihw8i32o4i)
sch.transform_layout(filter2_cache, ("read", 0), oihw8i32o4i)
sch.transform_layout(write_back, ("write", 0), nhwc8h8w32c)

sch.decompose_reduction(conv1, init1)
sch.decompose_reduction(conv2, init2)

# Down to loops over flat memory, with primitives of hexproof's own.
sch.compact_buffers()
sch.lower_blocks()
sch.remove_unit_loops()
sch.simplify()
sch.flatten_buffers()
