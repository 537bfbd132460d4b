# A tile of pixels of a row by 128 channels, each vector of bytes widened to four vectors of sums. What is best is found by
# `hexproof tune`: how many pixels, which loop is outside, and how much is written out.
tile = 4  # tune: 1, 2, 4, 7
taps_outside = True  # tune: True, False
write_out = "rw"  # tune: "rw", "both", "none"

conv = sch.get_block("conv")
store = sch.cache_write(conv, 0, "local")
n, h, w, c = sch.get_loops(store)
wo, wi = sch.split(w, [None, tile])
sch.compute_at(conv, wo)
sch.vectorize(c)

loops = sch.get_loops(conv)
c, rh, rw = loops[-3:]
pixels = [loops[-4]] if tile > 1 else []
order = [rh, rw] + pixels + [c] if taps_outside else pixels + [rh, rw, c]
sch.reorder(*order)
init = sch.decompose_reduction(conv, order[0])
sch.vectorize(sch.get_loops(init)[-1])
sch.vectorize(c)
if write_out != "none":
    sch.unroll(rw)
if write_out == "both":
    sch.unroll(rh)

sch.compact_buffers()
sch.lower_blocks()
sch.remove_unit_loops()
sch.simplify()
sch.flatten_buffers()
