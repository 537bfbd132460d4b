sch.storage_align("P",0,0,8,1)
