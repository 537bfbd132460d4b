# Minus infinity around the image; the channels fill their vectors of 32.
pool = sch.get_block("maxpool")
nhwc = lambda h, w, c: [(h + 1) // 8, (w + 1) // 8, (h + 1) % 8, (w + 1) % 8, c // 32, c % 32]
sch.transform_layout(pool, "A", nhwc, pad_value=float("-inf"))
sch.transform_layout(pool, "B", lambda h, w, c: [h, w, c // 32, c % 32])

sch.sequential_buffer_access(pool, "B")
sch.remove_branching_through_overcompute(pool)

h, w, co, ci, kh, kw = sch.get_loops(pool)
sch.reorder(h, w, co, kh, kw, ci)
init = sch.decompose_reduction(pool, kh)
sch.vectorize(sch.get_loops(init)[-1])
sch.vectorize(ci)

sch.lower_blocks()
sch.simplify()
sch.flatten_buffers()
