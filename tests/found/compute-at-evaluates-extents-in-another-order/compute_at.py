sch.compute_at("p", sch.get_loop("x"))
