sch.annotate("fill", "double_buffer_scope", 0)
