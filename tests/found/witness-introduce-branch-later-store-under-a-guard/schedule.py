sch.remove_overcompute_through_branching("root")
