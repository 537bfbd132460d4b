sch.work_on("g")
sch.permit("A", lambda i: i > 6)
