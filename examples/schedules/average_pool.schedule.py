from tvm import tir

sch = tir.Schedule(Module)
sch.compute_inline("pad")
average = sch.get_block("average")
n, h, w, c = sch.get_loops(average)
wo, wi = sch.split(w, factors=[None, 4])  # 14 = 3 * 4 + 2
sch.compute_at("sum", wo)
loops = sch.get_loops("sum")
*outer, c_sum, rh, rw = loops
sch.reorder(rh, rw, c_sum)
init = sch.decompose_reduction("sum", rh)
for block in ["sum", init, average]:
    sch.vectorize(sch.get_loops(block)[-1])
sch.parallel(h)
