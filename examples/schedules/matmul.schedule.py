# Tiles of tiles of tiles: 64 x 64 for the second cache, 16 x 16 for the first, 4 x 16 for registers.
from tvm import tir

sch = tir.Schedule(Module, debug_mask="all")
block = sch.get_block("C")
i, j, k = sch.get_loops(block)
i0, i1, i2 = sch.split(i, factors=[2, 16, 4])
j0, j1, j2 = sch.split(j, factors=[2, 4, 16])
k0, k1 = sch.split(k, factors=[None, 8])
sch.reorder(i0, j0, k0, i1, j1, k1, i2, j2)

a = sch.cache_read(block, 0, "global")
b = sch.cache_read(block, 1, "global")
c = sch.cache_write(block, 0, "global")
sch.compute_at(a, k0)
sch.compute_at(b, k0)
sch.reverse_compute_at(c, j0)

init = sch.decompose_reduction(block, k0)
for inner in [block, init, a, b, c]:
    sch.vectorize(sch.get_loops(inner)[-1])
sch.parallel(sch.fuse(i0, j0))
