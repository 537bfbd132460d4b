sch.reverse_compute_at("c", sch.get_loops("u")[0])
