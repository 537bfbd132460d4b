# A product of matrices in tiles, its result cached.
from tvm import te
import tvm

A = te.placeholder((32, 24), name="A", dtype="int32")
B = te.placeholder((24, 16), name="B", dtype="int32")
k = te.reduce_axis((0, 24), name="k")
C = te.compute((32, 16), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")

s = te.create_schedule(C.op)
CC = s.cache_write(C, "local")
xo, yo, xi, yi = s[C].tile(C.op.axis[0], C.op.axis[1], 8, 8)
s[CC].compute_at(s[C], yo)
x, y = CC.op.axis
ko, ki = s[CC].split(CC.op.reduce_axis[0], factor=4)
s[CC].reorder(ko, x, ki, y)
AA = s.cache_read(A, "global", [CC])
s[AA].compute_at(s[CC], ko)
s[C].unroll(yi)
tvm.lower(s, [A, B, C])
