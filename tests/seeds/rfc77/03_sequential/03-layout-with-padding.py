# section: New Utility - Reorder Loops According to Buffer
# listing before: 575
# listing after: 583
# before
@T.prim_func
def count(A: T.Buffer((14,), "int32")):
    with T.block("compute"):
        for i in range(14):
            A[i] = i
# schedule
sch.transform_layout(block="compute", buffer="A", index_map=lambda i: [i // 4, i % 4])
# after
@T.prim_func
def count(A: T.Buffer((4, 4), "int32")):
    T.func_attr({"hexproof.padding.0": "lambda io, ii: io * 4 + ii >= 14"})
    with T.block("compute"):
        for i in range(14):
            A[i // 4, i % 4] = i
