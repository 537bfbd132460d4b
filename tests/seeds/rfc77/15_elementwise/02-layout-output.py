# section: Apply operator element-wise over the transformation padding
# listing before: 2471
# listing after: 2485
# schedule
sch.transform_layout("root", "B", lambda i: [i // 4, i % 4], pad_value=lambda io, ii: T.undef())
# after
@T.prim_func
def double(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    T.func_attr({"hexproof.padding.1": "lambda io, ii: io * 4 + ii >= 14"})
    for io, ii in T.grid(4, 4):
        T.assume(io * 4 + ii < 14 or A[io, ii] == T.undef())
    for i in range(14):
        B[i // 4, i % 4] = 2 * A[i // 4, i % 4]
    for io, ii in T.grid(4, 4):
        if io * 4 + ii >= 14:
            B[io, ii] = T.undef()
