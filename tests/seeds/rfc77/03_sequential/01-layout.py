# section: New Utility - Reorder Loops According to Buffer
# listing before: 539
# listing after: 547
# before
@T.prim_func
def count(A: T.Buffer((16,), "int32")):
    with T.block("compute"):
        for i in range(16):
            A[i] = i
# schedule
sch.transform_layout(block="compute", buffer="A", index_map=lambda i: [i // 4, i % 4])
# after
@T.prim_func
def count(A: T.Buffer((4, 4), "int32")):
    with T.block("compute"):
        for i in range(16):
            A[i // 4, i % 4] = i
