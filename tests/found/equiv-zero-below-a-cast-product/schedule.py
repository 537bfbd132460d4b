k = sch.get_loops("B")[-1]
ko, ki = sch.split(k, [2, 1])
sch.rfactor(ko, 0)
