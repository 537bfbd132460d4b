sch.merge_adjacent_loops(sch.get_loop("i"), sch.get_loop("j"))
