# out of bounds: B[i+1] for i up to 7 of a B of 8
from tvm import te
import tvm
A = te.placeholder((8,), name="A", dtype="int32")
B = te.compute((8,), lambda i: A[i], name="B")
C = te.compute((8,), lambda i: B[i+1], name="C")
s = te.create_schedule(C.op)
xo, xi = s[C].split(C.op.axis[0], factor=4)
s[B].compute_at(s[C], xo)
tvm.lower(s, [A, C])
