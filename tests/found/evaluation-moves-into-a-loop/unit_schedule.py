sch.remove_unit_loops()
