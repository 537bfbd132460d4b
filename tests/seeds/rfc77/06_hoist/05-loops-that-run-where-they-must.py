# section: New Transform - Reduce Loop Extents
# listing before: 1094
# listing after: 1104
# document after: equal
# schedule
sch.reduce_loop_extents("root")
# after
@T.prim_func
def corner(A: T.Buffer((4, 4), "float32")):
    for j in range(2):
        A[0, j] = T.float32(0)
