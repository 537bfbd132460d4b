sch.reverse_compute_at("C", sch.get_loops("P")[0])
