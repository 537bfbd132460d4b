from tvm import te
A = te.placeholder((4,), name="A", dtype="int32")
k = te.reduce_axis((0, 4), name="k")
C = te.compute((1,), lambda i: te.sum(A[k], axis=k, where=A[k]), name="C")
te.create_prim_func([A, C])
