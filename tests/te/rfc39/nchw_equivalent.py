from tvm import te

A = te.placeholder((2, 3, 5, 8), name="A")
# Compute definition that would produce an equivalent physical layout
B_equivalent = te.compute(
    [A.shape[0], A.shape[3]//4, A.shape[1], A.shape[2], 4],
    lambda n, c_outer, h, w, c_inner: A[n, h, w, 4*c_outer+c_inner],
)
te.create_prim_func([A, B_equivalent])
