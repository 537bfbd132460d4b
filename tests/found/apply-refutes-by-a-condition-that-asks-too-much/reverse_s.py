l=sch.get_loops("P"); sch.reverse_compute_at("C",l[0])
