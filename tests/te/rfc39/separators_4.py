from tvm import te

M, N, P, Q = 3, 4, 5, 8
A = te.placeholder((M, N, P, Q), name="A")
B = te.compute(shape=(M,N,P,Q), fcompute=lambda m, n, p, q: A[m, n, p, q] + 1, name="B")
s = te.create_schedule(B.op)
s[B].transform_layout(lambda m,n,p,q: [m, q//4, n, te.AXIS_SEPARATOR, p, q%4])
