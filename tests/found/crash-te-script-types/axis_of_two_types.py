from tvm import te
import tvm
A = te.placeholder((8,), name="A", dtype="int32")
F = te.placeholder((8,), name="F", dtype="float32")
k = te.reduce_axis((0, 8), name="k")
k2 = te.reduce_axis((te.var("a"), te.var("b", "int64")), name="k2")
C = te.compute((1,), lambda i: te.sum(A[k2], axis=k2), name="C")
te.create_prim_func([A, C])
