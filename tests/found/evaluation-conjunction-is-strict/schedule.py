sch.separate_conditions("root")
