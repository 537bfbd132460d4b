sch.compute_at("b", sch.get_loops("c")[0])
