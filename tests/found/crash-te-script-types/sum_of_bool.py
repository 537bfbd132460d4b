from tvm import te
A = te.placeholder((4,), name="A", dtype="bool")
k = te.reduce_axis((0, 4), name="k")
C = te.compute((1,), lambda i: te.sum(A[k], axis=k), name="C")
te.create_prim_func([A, C])
