# section: Utility - Merge Adjacent Loops
# listing before: 1142
# listing after: 1164
# before
@T.prim_func
def twice(A: T.Buffer((16,), "float32")):
    for i in range(16):
        A[i] = T.float32(0)
    for i in range(16):
        A[i] = T.float32(1)
# schedule
sch.merge_adjacent_loops(sch.get_loop("i", 0), sch.get_loop("i", 1))
# after
@T.prim_func
def twice(A: T.Buffer((16,), "float32")):
    for i in range(16):
        A[i] = T.float32(0)
        A[i] = T.float32(1)
