sch.decompose_reduction("s", sch.get_loops("s")[0])
