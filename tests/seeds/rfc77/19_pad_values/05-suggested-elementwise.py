# section: Future possibilities
# before
@T.prim_func
def double(A: T.Buffer((14,), "int32"), B: T.Buffer((14,), "int32")):
    for i in range(14):
        B[i] = 2 * A[i]
# schedule
tiles = lambda i: [i // 4, i % 4]
sch.transform_layout("root", "B", tiles, pad_value=tir.undef())
sch.transform_layout("root", "A", tiles, pad_value=sch.suggest_pad_value("root", "A", tiles)[0])
sch.sequential_buffer_access("root", "B")
sch.remove_branching_through_overcompute("root")
# after
@T.prim_func
def double(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    T.func_attr({"hexproof.padding.1": "lambda io, ii: io * 4 + ii >= 14"})
    for io, ii in T.grid(4, 4):
        T.assume(io * 4 + ii < 14 or A[io, ii] == T.undef())
    for io, ii in T.grid(4, 4):
        B[io, ii] = 2 * A[io, ii]
    for io, ii in T.grid(4, 4):
        if io * 4 + ii >= 14:
            B[io, ii] = T.undef()
