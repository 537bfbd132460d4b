sch.remove_no_op("root")
