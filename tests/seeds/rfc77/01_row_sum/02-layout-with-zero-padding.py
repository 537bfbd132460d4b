# section: Overcompute vs Branching
# before
@T.prim_func
def rows(a: T.handle, b: T.handle):
    A = T.match_buffer(a, (16, 14), "float32")
    B = T.match_buffer(b, (16,), "float32")
    for i in range(16):
        B[i] = T.float32(0)
        for j in range(14):
            B[i] = B[i] + A[i, j]
# schedule
sch.transform_layout("root", "A", lambda i, j: [i, j // 4, j % 4], pad_value=0.0)
jo, ji = sch.split(sch.get_loop("j"), factors=[None, 4])
sch.simplify()
# after
@T.prim_func
def rows(a: T.handle, b: T.handle):
    A = T.match_buffer(a, (16, 4, 4), "float32")
    B = T.match_buffer(b, (16,), "float32")
    for i, jo, ji in T.grid(16, 4, 4):
        T.assume(jo * 4 + ji < 14 or A[i, jo, ji] == T.float32(0))
    for i in range(16):
        B[i] = T.float32(0)
        for jo, ji in T.grid(4, 4):
            if jo * 4 + ji < 14:
                B[i] = B[i] + A[i, jo, ji]
