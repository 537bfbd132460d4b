# section: Never write to transformation padding
# listing before: 1519
# listing after: 1526
# before
@T.prim_func
def constant(A: T.Buffer((14,), "int32")):
    for i in range(14):
        A[i] = 42
# schedule
sch.transform_layout("root", "A", lambda i: [i // 4, i % 4])
# after
@T.prim_func
def constant(A: T.Buffer((4, 4), "int32")):
    T.func_attr({"hexproof.padding.0": "lambda io, ii: io * 4 + ii >= 14"})
    for i in range(14):
        A[i // 4, i % 4] = 42
