sch.lower_blocks()
