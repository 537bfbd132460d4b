# section: Utility - Merge Adjacent Loops
# listing before: 1176
# listing after: 1199
# document after: refuted
# repair after: A[i - 1] + i => A[i - 1] + 1.0
# errata: the merged loop adds `i` where the loop that was merged added 1
# before
@T.prim_func
def neighbour(A: T.Buffer((16,), "float32")):
    for i in range(16):
        A[i] = T.float32(0)
    for i in range(16):
        if i > 0:
            A[i] = A[i - 1] + T.float32(1)
# schedule
sch.merge_adjacent_loops(sch.get_loop("i", 0), sch.get_loop("i", 1))
# after
@T.prim_func
def neighbour(A: T.Buffer((16,), "float32")):
    for i in range(16):
        A[i] = T.float32(0)
        if i > 0:
            A[i] = A[i - 1] + T.float32(1)
