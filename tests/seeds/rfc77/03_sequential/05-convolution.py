# section: New Utility - Reorder Loops According to Buffer
# listing before: 604
# listing after: 621
# errata at: 604
# errata: a buffer of integers is given the float `0.0` (in the listings that follow, too)
# before
@T.prim_func
def conv1d(A: T.Buffer((16,), "int32"), F: T.Buffer((3,), "int32"), B: T.Buffer((14,), "int32")):
    with T.block("compute"):
        for i in range(14):
            B[i] = 0
            for f in range(3):
                B[i] = B[i] + F[f] * A[i + f]
# schedule
sch.transform_layout(block="compute", buffer="A", index_map=lambda i: [i // 4, i % 4])
sch.transform_layout(block="compute", buffer="B", index_map=lambda i: [i // 4, i % 4])
# after
@T.prim_func
def conv1d(A: T.Buffer((4, 4), "int32"), F: T.Buffer((3,), "int32"), B: T.Buffer((4, 4), "int32")):
    T.func_attr({"hexproof.padding.2": "lambda io, ii: io * 4 + ii >= 14"})
    with T.block("compute"):
        for i in range(14):
            B[i // 4, i % 4] = 0
            for f in range(3):
                B[i // 4, i % 4] = B[i // 4, i % 4] + F[f] * A[(i + f) // 4, (i + f) % 4]
