sch.transform_layout("P","B",lambda i,j: [i//3,j,i%3],pad_value=0)
