# where= condition with a read narrower
from tvm import te
import tvm
A = te.placeholder((8,8), name="A", dtype="int32")
B = te.compute((8,8), lambda i,j: A[i,j]+1, name="B")
k = te.reduce_axis((0,8), name="k")
C = te.compute((8,), lambda i: te.sum(B[i,k], axis=k, where=k<2), name="C")
s = te.create_schedule(C.op)
s[B].compute_at(s[C], C.op.axis[0])
tvm.lower(s, [A, C])
