from tvm import tir

sch = tir.Schedule(Module)
pad = sch.get_block("pad")
i, j = sch.get_loops(pad)
assert sch.can_decompose_padding(pad, i)
zeros = sch.decompose_padding(pad, i)
sch.vectorize(sch.get_loops(zeros)[-1])
sch.vectorize(sch.get_loops(pad)[-1])
