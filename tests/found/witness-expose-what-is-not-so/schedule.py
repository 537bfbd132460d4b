sch.work_on("use")
sch.expose("A", lambda i: i >= 0, 0)
