# section: Multiple Buffer Semantics
# listing before: 2632
# listing after: 2653
# schedule
sch.remove_branching_through_overcompute("root")
# after
@T.prim_func
def row_sums(A: T.Buffer((4, 4, 8, 8), "int32"), B: T.Buffer((4, 4), "int32")):
    T.func_attr({"hexproof.padding.1": "lambda io, ii: io * 4 + ii >= 14"})
    for io, ii, jo, ji in T.grid(4, 4, 8, 8):
        T.assume(jo * 8 + ji < 60 or A[io, ii, jo, ji] == 0)
    for io, ii, jo, ji in T.grid(4, 4, 8, 8):
        if jo * 8 + ji < 60:
            T.assume(io * 4 + ii < 14 or A[io, ii, jo, ji] == T.undef())
    for io, ii in T.grid(4, 4):
        B[io, ii] = 0
        for jo, ji in T.grid(8, 8):
            B[io, ii] = B[io, ii] + A[io, ii, jo, ji]
    for io, ii in T.grid(4, 4):
        if io * 4 + ii >= 14:
            B[io, ii] = T.undef()
