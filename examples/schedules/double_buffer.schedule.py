# Rows come through memory that is close: one is filled while the one before is used.
from tvm import tir

sch = tir.Schedule(Module)
block = sch.get_block("B")
i, j = sch.get_loops(block)
row = sch.cache_read(block, 0, "global")
sch.compute_at(row, i)
sch.annotate(row, ann_key="double_buffer_scope", ann_val=0)
for stage in [row, block]:
    *_, loop = sch.get_loops(stage)
    outer, lanes = sch.split(loop, factors=[None, 16])
    sch.vectorize(lanes)
