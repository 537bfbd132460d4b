# section: Overcompute vs Branching
# schedule
sch.remove_branching_through_overcompute("root")
# after
@T.prim_func
def rows(a: T.handle, b: T.handle):
    A = T.match_buffer(a, (16, 4, 4), "int32")
    B = T.match_buffer(b, (16,), "int32")
    for i, jo, ji in T.grid(16, 4, 4):
        T.assume(jo * 4 + ji < 14 or A[i, jo, ji] == 0)
    for i in range(16):
        B[i] = 0
        for jo, ji in T.grid(4, 4):
            B[i] = B[i] + A[i, jo, ji]
