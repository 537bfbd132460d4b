# section: New Utility - Reorder Loops According to Buffer
# listing before: 703
# listing after: 724
# document after: equal
# before
@T.prim_func
def cumulative(A: T.Buffer((16,), "int32"), F: T.Buffer((3,), "int32"), B: T.Buffer((14,), "int32")):
    with T.block("compute"):
        for i in range(14):
            if i == 0:
                B[i] = 0
            else:
                B[i] = B[i - 1]
            for f in range(3):
                B[i] = B[i] + F[f] * A[i + f]
# schedule
sch.transform_layout(block="compute", buffer="A", index_map=lambda i: [i // 4, i % 4])
sch.transform_layout(block="compute", buffer="B", index_map=lambda i: [i // 4, i % 4])
# after
@T.prim_func
def cumulative(A: T.Buffer((4, 4), "int32"), F: T.Buffer((3,), "int32"), B: T.Buffer((4, 4), "int32")):
    T.func_attr({"hexproof.padding.2": "lambda io, ii: io * 4 + ii >= 14"})
    with T.block("compute"):
        for i in range(14):
            if i == 0:
                B[0, i] = 0
            else:
                B[i // 4, i % 4] = B[(i - 1) // 4, (i - 1) % 4]
            for f in range(3):
                B[i // 4, i % 4] = B[i // 4, i % 4] + F[f] * A[(i + f) // 4, (i + f) % 4]
