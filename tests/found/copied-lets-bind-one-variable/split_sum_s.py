sch.split_sum("C")
