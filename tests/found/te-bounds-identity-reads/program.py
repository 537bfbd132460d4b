from tvm import te
import tvm
A = te.placeholder((8,), name="A", dtype="int32")
F = te.placeholder((8,), name="F", dtype="float32")
k = te.reduce_axis((0, 8), name="k")
B = te.compute((8,), lambda i: A[i]*7, name="B")
r = te.comm_reducer(lambda x, y: x + y, lambda t: B[5], name="rid")
C = te.compute((4,), lambda i: r(B[k]*i, axis=k), name="C")
s = te.create_schedule(C.op)
s[B].compute_at(s[C], k)
tvm.lower(s,[A,C])
