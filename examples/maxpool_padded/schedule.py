# The least value around the image, and channels in whole vectors: 192 of them in two of 128 lanes, the last 64 of which hold
# the least value in the input and anything in the output.
pool = sch.get_block("maxpool")
nhwc = lambda h, w, c: [(h + 1) // 8, (w + 1) // 8, (h + 1) % 8, (w + 1) % 8, c // 128, c % 128]
sch.transform_layout(pool, "A", nhwc, pad_value=T.min_value("int8"))
sch.transform_layout(pool, "B", lambda h, w, c: [h, w, c // 128, c % 128], pad_value=T.undef())

# In the order of the output's memory. The least value changes no maximum, and in the padding of the output anything may be
# left: no pixel asks where the image ends, and no lane whether it is a channel.
sch.sequential_buffer_access(pool, "B")
sch.remove_branching_through_overcompute(pool)

# A vector of channels at a time.
h, w, co, ci, kh, kw = sch.get_loops(pool)
sch.reorder(h, w, co, kh, kw, ci)
init = sch.decompose_reduction(pool, kh)
sch.vectorize(sch.get_loops(init)[-1])
sch.vectorize(ci)

# Down to loops over flat memory.
sch.lower_blocks()
sch.simplify()
sch.flatten_buffers()
