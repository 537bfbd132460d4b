from tvm import te
import tvm
A = te.placeholder((8,), name="A", dtype="float32")
red = te.comm_reducer(lambda x, y: tvm.tir.Select(x > 1e10, y, x + y), lambda t: tvm.tir.const(0, t), name="odd")
k = te.reduce_axis((0, 8), name="k")
C = te.compute((1,), lambda i: red(A[k], axis=k), name="C")
te.create_prim_func([A, C])
