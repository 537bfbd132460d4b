from tvm import te
import tvm

A = te.placeholder((66,), name="A", dtype="int32")
B = te.compute((66,), lambda i: A[i] * 2, name="B")
C = te.compute((64,), lambda i: B[i] + B[i + 1] + B[i + 2], name="C")
D = te.compute((64,), lambda i: C[i] + 1, name="D")
s = te.create_schedule(D.op)
xo, xi = s[D].split(D.op.axis[0], factor=16)
s[B].compute_at(s[D], xo)
s[C].compute_inline()
print(tvm.lower(s, [A, D], simple_mode=True))
