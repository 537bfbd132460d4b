from tvm import te
import tvm
A = te.placeholder((8,), name="A", dtype="float32")
red = te.comm_reducer(lambda x, y: tvm.tir.Select(x > 0.5, x - y, x), lambda t: tvm.tir.const(0, t), name="odd")
k = te.reduce_axis((0,8), name="k")
C = te.compute((1,), lambda i: red(A[k], axis=k), name="C")
s = te.create_schedule(C.op)


tvm.lower(s, [A, C])
