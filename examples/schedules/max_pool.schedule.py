from tvm import tir

sch = tir.Schedule(Module)
pool = sch.get_block("max")
n, h, w, c, rh, rw = sch.get_loops(pool)
sch.reorder(n, h, w, rh, rw, c)
init = sch.decompose_reduction(pool, rh)
sch.vectorize(c)
sch.vectorize(sch.get_loops(init)[-1])
sch.parallel(h)
