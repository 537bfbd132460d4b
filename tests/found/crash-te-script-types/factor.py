from tvm import te
import tvm
A = te.placeholder((8,), name="A", dtype="int32")
F = te.placeholder((8,), name="F", dtype="float32")
k = te.reduce_axis((0, 8), name="k")
n = te.var("n")
P = te.placeholder((n,), name="P", dtype="int32")
C = te.compute((n,), lambda i: P[i], name="C")
s = te.create_schedule(C.op)
s[C].split(C.op.axis[0], factor=2**40)
tvm.lower(s,[P,C])
