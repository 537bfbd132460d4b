from tvm import te

A = te.placeholder((2, 3, 5, 8), name="A")
# Compute definition, written in terms of NHWC logical axes
B = te.compute(A.shape, lambda n,h,w,c: A[n,h,w,c])
s = te.create_schedule(B.op)

def nhwc_to_nchwc(n, h, w, c):
    return [n, c//4, h, w, c%4]

transformed_nchwc_axes = s[B].transform_layout(nhwc_to_nchwc)
