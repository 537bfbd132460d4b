# section: New Primitive - Remove Branching Through Overcompute
# listing before: 1254
# listing after: 1268
# errata: the filter F is a parameter that nobody reads: what is called a convolution is a sum over a window
# before
@T.prim_func
def window_sums(A: T.Buffer((16,), "float32"), F: T.Buffer((3,), "float32"), B: T.Buffer((14,), "float32")):
    with T.block("compute"):
        for i in range(14):
            B[i] = T.float32(0)
            for f in range(3):
                B[i] = B[i] + A[i + f]
# schedule
sch.transform_layout("compute", "A", lambda i: [i // 4, i % 4])
# after
@T.prim_func
def window_sums(A: T.Buffer((4, 4), "float32"), F: T.Buffer((3,), "float32"), B: T.Buffer((14,), "float32")):
    with T.block("compute"):
        for i in range(14):
            B[i] = T.float32(0.0)
            for f in range(3):
                B[i] = B[i] + A[(i + f) // 4, (i + f) % 4]
