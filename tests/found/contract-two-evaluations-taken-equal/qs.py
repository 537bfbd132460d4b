sch = tir.Schedule(Module)
sch.remove_branches()
sch.simplify()
tvm.tir.transform.Simplify()(sch.mod)
