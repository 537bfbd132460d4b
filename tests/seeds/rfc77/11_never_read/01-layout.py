# section: Never read from transformation padding
# listing before: 1556
# listing after: 1563
# before
@T.prim_func
def total(A: T.Buffer((14,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = 0
    for i in range(14):
        B[0] = B[0] + A[i]
# schedule
sch.transform_layout("root", "A", lambda i: [i // 4, i % 4])
# after
@T.prim_func
def total(A: T.Buffer((4, 4), "int32"), B: T.Buffer((1,), "int32")):
    T.func_attr({"hexproof.padding.0": "lambda io, ii: io * 4 + ii >= 14"})
    B[0] = 0
    for i in range(14):
        B[0] = B[0] + A[i // 4, i % 4]
