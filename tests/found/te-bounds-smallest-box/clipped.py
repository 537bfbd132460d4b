from tvm import te
import tvm
A = te.placeholder((30,), name="A", dtype="int32")
B = te.compute((20,), lambda i: A[i+5], name="B")
C = te.compute((4, 8), lambda j, i: te.if_then_else(i >= 3, B[i-3], 0), name="C")
s = te.create_schedule(C.op)
s[B].compute_at(s[C], C.op.axis[0])
A1 = s.cache_read(A, "local", [B])
s[A1].compute_at(s[C], C.op.axis[0])
tvm.lower(s, [A, C])
