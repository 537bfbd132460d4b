# section: Multiple Buffer Semantics
# listing before: 2564
# listing after: 2577
# before
@T.prim_func
def row_sums(A: T.Buffer((14, 60), "int32"), B: T.Buffer((14,), "int32")):
    for i in range(14):
        B[i] = 0
        for j in range(60):
            B[i] = B[i] + A[i, j]
# schedule
sch.transform_layout("root", "A", lambda i, j: [i // 4, i % 4, j], pad_value=lambda io, ii, j: T.undef())
# after
@T.prim_func
def row_sums(A: T.Buffer((4, 4, 60), "int32"), B: T.Buffer((14,), "int32")):
    for io, ii, j in T.grid(4, 4, 60):
        T.assume(io * 4 + ii < 14 or A[io, ii, j] == T.undef())
    for i in range(14):
        B[i] = 0
        for j in range(60):
            B[i] = B[i] + A[i // 4, i % 4, j]
