sch.flatten_buffers()
