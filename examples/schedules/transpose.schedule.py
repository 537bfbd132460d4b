# Tiles of 16 x 16, the last ones smaller, through memory that is close.
from tvm import tir

sch = tir.Schedule(Module)
block = sch.get_block("B")
i, j = sch.get_loops(block)
io, ii = sch.split(i, factors=[None, 16])
jo, ji = sch.split(j, factors=[None, 16])
sch.reorder(io, jo, ii, ji)
tile = sch.cache_read(block, 0, "global")
sch.compute_at(tile, jo)
sch.vectorize(sch.get_loops(tile)[-1])
sch.parallel(io)
