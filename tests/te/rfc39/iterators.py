from tvm import te
A = te.placeholder(shape=[16,64,128])
B = te.compute(A.shape, lambda i,j,k: 2*A[i,j,k])

s = te.create_schedule(B.op)
s[A].transform_layout(lambda i,j,k: [i*64 + j, k//4, k%4])
i_outer, jk_merged, i_inner = s[B].transform_layout(lambda i,j,k: [i//4, 128*j + k, i%4])
s[B].reorder(i_outer, i_inner, jk_merged)
