# section: Padded Transformations
# before
@T.prim_func
def double(A: T.Buffer((14,), "float32"), B: T.Buffer((14,), "float32")):
    for i in range(14):
        B[i] = A[i] * T.float32(2)
# schedule
sch.transform_layout("root", "B", lambda i: [(i + 2) // 8, (i + 2) % 8], pad_value=0)
# after
@T.prim_func
def double(A: T.Buffer((14,), "float32"), B: T.Buffer((2, 8), "float32")):
    T.func_attr({"hexproof.padding.1": "lambda io, ii: io * 8 + ii < 2"})
    for i in range(14):
        B[(i + 2) // 8, (i + 2) % 8] = A[i] * T.float32(2)
    for io, ii in T.grid(2, 8):
        if io * 8 + ii < 2:
            B[io, ii] = T.float32(0)
