# section: Enhancement - Simplify
# listing before: 879
# listing after: 894
# document before: no program
# document after: no program
# repair before: A[i] => A[i, j]
# repair before: B[i] => B[i, j]
# repair after: A[i] => A[i, j]
# repair after: B[i] => B[i, j]
# errata: buffers of two dimensions are stored to with one index (also in the listing before, line 879)
# before
@T.prim_func
def halves(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):
    for i, j in T.grid(4, 4):
        if i * 4 + j < 14:
            A[i, j] = T.float32(0)
        else:
            A[i, j] = T.float32(1)
        if i == 3 and j >= 2:
            B[i, j] = T.float32(2)
        else:
            B[i, j] = T.float32(3)
# schedule
sch.apply_pass("tir.Simplify")
# after
@T.prim_func
def halves(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):
    for i, j in T.grid(4, 4):
        if i * 4 + j < 14:
            A[i, j] = T.float32(0)
            B[i, j] = T.float32(3)
        else:
            A[i, j] = T.float32(1)
            B[i, j] = T.float32(2)
