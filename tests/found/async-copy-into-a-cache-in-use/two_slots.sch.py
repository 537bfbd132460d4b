# The next row's input is loaded while this row is computed: into the other one of two slots.
sch.make_async(sch.get_loop("ho"), slots=2)
