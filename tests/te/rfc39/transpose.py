from tvm import te

A = te.placeholder((64,128), name="A")
x = te.compute(A.shape, lambda *at: A(*at) * 2, name="x")
s = te.create_schedule(x.op)
s[x].transform_layout(lambda i,j: [j,i])
