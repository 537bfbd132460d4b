# section: Multiple Buffer Semantics
# listing before: 2594
# listing after: 2614
# schedule
sch.transform_layout("root", "B", lambda i: [i // 4, i % 4], pad_value=lambda io, ii: T.undef())
# after
@T.prim_func
def row_sums(A: T.Buffer((4, 4, 8, 8), "int32"), B: T.Buffer((4, 4), "int32")):
    T.func_attr({"hexproof.padding.1": "lambda io, ii: io * 4 + ii >= 14"})
    for io, ii, jo, ji in T.grid(4, 4, 8, 8):
        T.assume(jo * 8 + ji < 60 or A[io, ii, jo, ji] == 0)
    for io, ii, j in T.grid(4, 4, 60):
        T.assume(io * 4 + ii < 14 or A[io, ii, j // 8, j % 8] == T.undef())
    for i in range(14):
        B[i // 4, i % 4] = 0
        for j in range(60):
            B[i // 4, i % 4] = B[i // 4, i % 4] + A[i // 4, i % 4, j // 8, j % 8]
    for io, ii in T.grid(4, 4):
        if io * 4 + ii >= 14:
            B[io, ii] = T.undef()
