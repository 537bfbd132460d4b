sch.sink_allocations()
