# schedule.py without overcompute, for comparison: the branch stays in the inner loop.
conv = sch.get_block("conv1d")
sch.transform_layout(conv, "A", lambda i: [(i + 2) // 128, (i + 2) % 128], pad_value=0)
sch.transform_layout(conv, "B", lambda i: [i // 128, i % 128])

io, ii, f = sch.sequential_buffer_access(conv, "B")
sch.reorder(io, f, ii)
init = sch.decompose_reduction(conv, f)
sch.vectorize(sch.get_loops(init)[-1])

sch.lower_blocks()
sch.simplify()
sch.flatten_buffers()
