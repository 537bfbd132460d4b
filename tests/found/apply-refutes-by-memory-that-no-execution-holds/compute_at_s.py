sch.compute_at("u", sch.get_loops("c")[0])
