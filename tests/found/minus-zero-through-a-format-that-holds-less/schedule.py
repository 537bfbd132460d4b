import tvm
from tvm import tir
sch = tir.Schedule(Module)
sch.simplify()
