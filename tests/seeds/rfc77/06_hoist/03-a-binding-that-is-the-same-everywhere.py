# section: New Transform - Hoist Expression
# before
@T.prim_func
def if_small(A: T.Buffer((4,), "float32"), n: T.int32):
    for i in range(4):
        is_small = n < 3
        if is_small:
            A[i] = T.float32(0)
# schedule
sch.hoist_expression("root", conditionals="IfElseStmt", bindings="RequiredByCondition")
# after
@T.prim_func
def if_small(A: T.Buffer((4,), "float32"), n: T.int32):
    is_small = n < 3
    if is_small:
        for i in range(4):
            A[i] = T.float32(0)
