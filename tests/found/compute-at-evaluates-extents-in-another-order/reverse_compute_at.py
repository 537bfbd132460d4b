sch.reverse_compute_at("c", sch.get_loop("x"))
