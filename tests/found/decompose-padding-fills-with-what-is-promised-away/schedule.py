sch.decompose_padding("B", sch.get_loops("B")[0])
