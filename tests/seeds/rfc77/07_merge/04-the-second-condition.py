# section: Utility - Merge Adjacent Loops
# errata at: 1131
# errata: the second condition is printed with the wrong loop and the wrong order, and as printed lets these loops merge. It
#   must say: for `i > j`, what the first loop reads in iteration `i` is distinct from what the second writes in iteration `j`
# expect: refused: what the first loop does later
# before
@T.prim_func
def shifted(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(1, 16):
        B[i] = A[i - 1]
    for i in range(1, 16):
        A[i] = T.float32(0)
# schedule
sch.merge_adjacent_loops(sch.get_loop("i", 0), sch.get_loop("i", 1))
# after
@T.prim_func
def shifted(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(1, 16):
        B[i] = A[i - 1]
        A[i] = T.float32(0)
