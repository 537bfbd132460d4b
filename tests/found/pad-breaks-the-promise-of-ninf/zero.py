sch = tir.Schedule(Module)
sch.transform_layout("root", "A", lambda i: [i // 4, i % 4], pad_value=T.float32(0))
i = sch.get_child_loops("root")[-1]
io, ii = sch.split(i, [2, 4])
sch.remove_branching_through_overcompute("root")
