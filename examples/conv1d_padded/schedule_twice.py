# One layout for all three signals, with zeros at both ends: the output of a filter is the input of the next, and the caller
# may go on so. Between the filters, and at the end, the kernel writes the zeros itself.
first = sch.get_block("first")
second = sch.get_block("second")
padded = lambda i: [(i + 2) // 128, (i + 2) % 128]
sch.transform_layout(first, "A", padded, pad_value=0)
sch.transform_layout(first, "M", padded, pad_value=0)
sch.transform_layout(second, "B", padded, pad_value=0)

for conv in [first, second]:
    sch.remove_branching_through_overcompute(conv)
    i, f = sch.get_loops(conv)
    io, ii = sch.split(i, [None, 32])
    sch.reorder(io, f, ii)
    init = sch.decompose_reduction(conv, f)
    sch.vectorize(sch.get_loops(init)[-1])
    sch.vectorize(ii)

sch.lower_blocks()
sch.simplify()
sch.flatten_buffers()
