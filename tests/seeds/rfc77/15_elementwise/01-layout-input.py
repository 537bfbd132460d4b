# section: Apply operator element-wise over the transformation padding
# listing before: 2464
# listing after: 2471
# before
@T.prim_func
def double(A: T.Buffer((14,), "int32"), B: T.Buffer((14,), "int32")):
    for i in range(14):
        B[i] = 2 * A[i]
# schedule
sch.transform_layout("root", "A", lambda i: [i // 4, i % 4], pad_value=lambda io, ii: T.undef())
# after
@T.prim_func
def double(A: T.Buffer((4, 4), "int32"), B: T.Buffer((14,), "int32")):
    for io, ii in T.grid(4, 4):
        T.assume(io * 4 + ii < 14 or A[io, ii] == T.undef())
    for i in range(14):
        B[i] = 2 * A[i // 4, i % 4]
