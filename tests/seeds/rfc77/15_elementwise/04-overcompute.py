# section: Apply operator element-wise over the transformation padding
# listing before: 2502
# listing after: 2526
# document before: equal
# errata: without the stage of assumes, which the listing before leaves out, nobody knows that the padding of A may be read
# schedule
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
