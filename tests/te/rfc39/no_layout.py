from tvm import te

# In TE schedule, no call to transform_layout.
A = te.placeholder((64,128), name="A")
x = te.compute(A.shape, lambda *at: A(*at) * 2, name="x")
s = te.create_schedule(x.op)
