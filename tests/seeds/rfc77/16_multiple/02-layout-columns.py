# section: Multiple Buffer Semantics
# listing before: 2577
# listing after: 2594
# schedule
sch.transform_layout("root", "A", lambda io, ii, j: [io, ii, j // 8, j % 8], pad_value=0)
# after
@T.prim_func
def row_sums(A: T.Buffer((4, 4, 8, 8), "int32"), B: T.Buffer((14,), "int32")):
    for io, ii, jo, ji in T.grid(4, 4, 8, 8):
        T.assume(jo * 8 + ji < 60 or A[io, ii, jo, ji] == 0)
    for io, ii, j in T.grid(4, 4, 60):
        T.assume(io * 4 + ii < 14 or A[io, ii, j // 8, j % 8] == T.undef())
    for i in range(14):
        B[i] = 0
        for j in range(60):
            B[i] = B[i] + A[i // 4, i % 4, j // 8, j % 8]
