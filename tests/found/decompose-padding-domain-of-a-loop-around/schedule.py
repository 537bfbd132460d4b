sch = tir.Schedule(Module)
b = sch.get_block("pad")
l, = sch.get_loops(b)
sch.decompose_padding(b, l)
