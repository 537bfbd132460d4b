sch.sequential_buffer_access("b", "B")
