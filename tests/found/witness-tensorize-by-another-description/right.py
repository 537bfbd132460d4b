desc = """
@T.prim_func
def desc(X: T.Buffer((64,), "int32"), Y: T.Buffer((64,), "int32"), Z: T.Buffer((64,), "int32")):
    for i in range(64):
        with T.block("c"):
            vi = T.axis.spatial(64, i)
            Z[vi] = X[vi] - Y[vi]
"""
tir.TensorIntrin.register("mine", desc, desc)
sch.tensorize(sch.get_loops("c")[0], "mine")
