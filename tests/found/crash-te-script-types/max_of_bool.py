from tvm import te
import tvm
A = te.placeholder((8,), name="A", dtype="int32")
F = te.placeholder((8,), name="F", dtype="float32")
k = te.reduce_axis((0, 8), name="k")
C = te.compute((1,), lambda i: te.max(A[k] > 0, axis=k), name="C")
te.create_prim_func([A, C])
