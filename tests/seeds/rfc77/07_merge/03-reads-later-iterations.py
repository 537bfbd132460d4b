# section: Utility - Merge Adjacent Loops
# listing before: 1213
# expect: refused: what the first loop does later
# before
@T.prim_func
def stencil(A: T.Buffer((16,), "float32")):
    for i in range(16):
        A[i] = T.cast(i, "float32")
    for i in range(16):
        if 0 < i < 15:
            A[i] = A[i - 1] + A[i] + A[i + 1]
# schedule
sch.merge_adjacent_loops(sch.get_loop("i", 0), sch.get_loop("i", 1))
# after
@T.prim_func
def stencil(A: T.Buffer((16,), "float32")):
    for i in range(16):
        A[i] = T.cast(i, "float32")
        if 0 < i < 15:
            A[i] = A[i - 1] + A[i] + A[i + 1]
