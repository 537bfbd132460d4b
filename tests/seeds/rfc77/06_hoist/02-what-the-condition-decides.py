# section: New Transform - Hoist Expression
# before
@T.prim_func
def first_three(A: T.Buffer((4,), "float32")):
    for i in range(4):
        is_in_bounds = i < 3
        if is_in_bounds:
            A[i] = T.float32(0)
# schedule
sch.inline_lets()
sch.reduce_loop_extents("root")
# after
@T.prim_func
def first_three(A: T.Buffer((4,), "float32")):
    for i in range(3):
        A[i] = T.float32(0)
