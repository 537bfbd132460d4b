sch = tir.Schedule(Module)
sch.remove_branching_through_overcompute("X")
