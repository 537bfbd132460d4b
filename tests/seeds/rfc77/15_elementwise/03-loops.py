# section: Apply operator element-wise over the transformation padding
# listing before: 2485
# listing after: 2502
# document after: equal
# errata: the listing leaves out the stage of assumes in front, which the steps before and behind have
# schedule
sch.sequential_buffer_access("root", "B")
# after
@T.prim_func
def double(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    T.func_attr({"hexproof.padding.1": "lambda io, ii: io * 4 + ii >= 14"})
    for io, ii in T.grid(4, 4):
        T.assume(io * 4 + ii < 14 or A[io, ii] == T.undef())
    for io, ii in T.grid(4, 4):
        if io * 4 + ii < 14:
            B[io, ii] = 2 * A[io, ii]
    for io, ii in T.grid(4, 4):
        if io * 4 + ii >= 14:
            B[io, ii] = T.undef()
