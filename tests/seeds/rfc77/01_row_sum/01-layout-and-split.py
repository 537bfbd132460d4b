# section: Overcompute vs Branching
# listing before: 226
# listing after: 242
# document before: no program
# repair before: T.match_buffer(shape=(16, 14) => T.match_buffer(a, shape=(16, 14)
# repair before: T.match_buffer(shape=(16,) => T.match_buffer(b, shape=(16,)
# document after: no program
# repair after: T.match_buffer(shape=(16, 4, 4) => T.match_buffer(a, shape=(16, 4, 4)
# repair after: T.match_buffer(shape=(16,), dtype="float32") => T.match_buffer(b, shape=(16,), dtype="float32")
# errata: the buffers are matched against no handle (also in the listing before, line 226)
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
sch.transform_layout("root", "A", lambda i, j: [i, j // 4, j % 4])
jo, ji = sch.split(sch.get_loop("j"), factors=[None, 4])
sch.simplify()
# after
@T.prim_func
def rows(a: T.handle, b: T.handle):
    A = T.match_buffer(a, (16, 4, 4), "float32")
    B = T.match_buffer(b, (16,), "float32")
    T.func_attr({"hexproof.padding.0": "lambda i, jo, ji: jo * 4 + ji >= 14"})
    for i in range(16):
        B[i] = T.float32(0)
        for jo, ji in T.grid(4, 4):
            if jo * 4 + ji < 14:
                B[i] = B[i] + A[i, jo, ji]
