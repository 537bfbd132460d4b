sch.compute_at("B", sch.get_loop("x"))
