sch.transform_layout("root", "A", lambda i: [i // 4, i % 4])
sch.simplify()
sch.remove_branching_through_overcompute("root")
