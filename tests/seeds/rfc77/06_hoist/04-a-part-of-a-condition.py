# section: New Transform - Reduce Loop Extents
# listing before: 1086
# listing after: 1094
# before
@T.prim_func
def corner(A: T.Buffer((4, 4), "float32")):
    for i, j in T.grid(4, 4):
        if i == 0 and j < 2:
            A[i, j] = T.float32(0)
# schedule
sch.hoist_expression("root", conditionals="BooleanExpression")
# after
@T.prim_func
def corner(A: T.Buffer((4, 4), "float32")):
    for i in range(4):
        if i == 0:
            for j in range(4):
                if j < 2:
                    A[i, j] = T.float32(0)
