# section: Overcompute vs Branching
# listing before: 242
# listing after: 260
# document before: no program
# repair before: T.match_buffer(shape=(16, 4, 4) => T.match_buffer(a, shape=(16, 4, 4)
# repair before: T.match_buffer(shape=(16,), dtype="float32") => T.match_buffer(b, shape=(16,), dtype="float32")\n    for x, y, z in T.grid(16, 4, 4):\n        T.assume(4 * y + z < 14 or A[x, y, z] == 0.0)
# document after: no program
# repair after: T.match_buffer(shape=(16, 4, 4) => T.match_buffer(a, shape=(16, 4, 4)
# repair after: T.match_buffer(shape=(16,), dtype="float32") => T.match_buffer(b, shape=(16,), dtype="float32")\n    for x, y, z in T.grid(16, 4, 4):\n        T.assume(4 * y + z < 14 or A[x, y, z] == 0.0)
# errata: the buffers are matched against no handle
# errata: the branch may go only where the padding is known to be zero: the listings lack the assume that `transform_layout` adds for a pad value
# schedule
sch.remove_branching_through_overcompute("root")
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
            B[i] = B[i] + A[i, jo, ji]
