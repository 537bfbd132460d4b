sch.remove_branching_through_overcompute(sch.get_block("root"))
