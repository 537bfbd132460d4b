sch.reverse_compute_at("C", sch.get_loop("x"))
