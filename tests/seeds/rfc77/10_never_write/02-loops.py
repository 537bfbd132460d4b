# section: Never write to transformation padding
# listing before: 1526
# listing after: 1533
# document after: equal
# schedule
sch.sequential_buffer_access("root", "A")
# after
@T.prim_func
def constant(A: T.Buffer((4, 4), "int32")):
    T.func_attr({"hexproof.padding.0": "lambda io, ii: io * 4 + ii >= 14"})
    for io, ii in T.grid(4, 4):
        if io * 4 + ii < 14:
            A[io, ii] = 42
