from tvm import te
import tvm
A = te.placeholder((8,), name="A", dtype="int32")
F = te.placeholder((8,), name="F", dtype="float32")
k = te.reduce_axis((0, 8), name="k")
B = te.compute((8,), lambda i: A[i]*7, name="B")
r = te.comm_reducer(lambda x, y: x + y, lambda t: B[0], name="rid")
C = te.compute((1,), lambda i: r(A[k], axis=k), name="C")
te.create_prim_func([A, C])
