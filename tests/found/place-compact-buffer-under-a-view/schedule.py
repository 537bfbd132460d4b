sch.compact_buffers()
