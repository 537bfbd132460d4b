from tvm import tir

sch = tir.Schedule(Module)
conv = sch.get_block("conv")

# The requantisation is one stage, which runs on each row of the convolution.
for name in ["bias", "scale"]:
    sch.compute_inline(sch.get_block(name))
requantise = sch.get_block("saturate")

n, h, w, k, rh, rw, rc = sch.get_loops(conv)
sch.reorder(n, h, w, rh, rw, rc, k)
sch.reverse_compute_at(requantise, h)
init = sch.decompose_reduction(conv, rh)
for block in [conv, init, requantise]:
    sch.vectorize(sch.get_loops(block)[-1])
sch.parallel(h)
