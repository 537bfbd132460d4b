from tvm import te
A = te.placeholder((64,), name="A", dtype="int32")
k = te.reduce_axis((0, 64), "k")
B = te.compute((1,), lambda i: te.sum(A[k], axis=k), name="B")
s = te.create_schedule(B.op)
ko, ki = s[B].split(B.op.reduce_axis[0], factor=16)
BF = s.rfactor(B, ki)
s[BF].compute_root()
