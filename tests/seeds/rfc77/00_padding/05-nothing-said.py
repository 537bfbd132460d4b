# section: Defining Padded Values
# errata at: 71
# errata: the last index of 14 elements is 13: the first index ends with `13//4`, which is 3 as well
# before
@T.prim_func
def double(A: T.Buffer((14,), "float32"), B: T.Buffer((14,), "float32")):
    for i in range(14):
        B[i] = A[i] * T.float32(2)
# schedule
sch.transform_layout("root", "B", lambda i: [i // 4, i % 4])
# after
@T.prim_func
def double(A: T.Buffer((14,), "float32"), B: T.Buffer((4, 4), "float32")):
    T.func_attr({"hexproof.padding.1": "lambda io, ii: io * 4 + ii >= 14"})
    for i in range(14):
        B[i // 4, i % 4] = A[i] * T.float32(2)
