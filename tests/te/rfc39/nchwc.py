from tvm import te

A = te.placeholder((16,64,64,128), name="A")
x = te.compute(A.shape, lambda *at: A(*at) * 2, name="x")
s = te.create_schedule(x.op)
s[x].transform_layout(lambda n,h,w,c: [n, c//4, h, w, c%4])
