sch.compute_at("p", sch.get_loops("c")[0])
