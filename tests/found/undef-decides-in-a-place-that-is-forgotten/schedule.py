sch.remove_branching_through_overcompute("root")
