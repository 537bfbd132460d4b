sch.transform_layout("root", "A", lambda max, max_: [max ^ 2, max_])
sch.remove_branching_through_overcompute("root")
