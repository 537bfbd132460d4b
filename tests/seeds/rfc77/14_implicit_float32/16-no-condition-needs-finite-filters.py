# section: Implicitly write default value of next operator
# expect: refused: it goes through with `nnan` `ninf` granted
# listing before: 2272
# document before: equal
# before
@T.prim_func
def conv1d(A: T.Buffer((3, 8), "float32"), F: T.Buffer((3,), "float32"), B: T.Buffer((3, 8), "float32")):
    T.func_attr({"hexproof.padding.2": "lambda io, ii: io * 8 + ii < 2 or io * 8 + ii >= 20"})
    for io, ii in T.grid(3, 8):
        T.assume(io * 8 + ii >= 2 and io * 8 + ii < 18 or A[io, ii] == T.float32(0.0))
    for bio, bii in T.grid(3, 8):
        B[bio, bii] = T.float32(0.0)
    for bio in range(3):
        if bio == 0:
            for bii in range(8):
                if 2 <= bii:
                    for fi in range(3):
                        B[bio + (bii + fi) // 8, (bii + fi) % 8] = B[bio + (bii + fi) // 8, (bii + fi) % 8] + F[fi] * A[bio, bii]
        elif bio == 2:
            for bii in range(8):
                if bii < 2:
                    for fi in range(3):
                        B[bio + (bii + fi) // 8, (bii + fi) % 8] = B[bio + (bii + fi) // 8, (bii + fi) % 8] + F[fi] * A[bio, bii]
        else:
            for bii, fi in T.grid(8, 3):
                B[bio + (bii + fi) // 8, (bii + fi) % 8] = B[bio + (bii + fi) // 8, (bii + fi) % 8] + F[fi] * A[bio, bii]
# schedule
first, last, between = sch.get_child_loops(sch.get_child_loops("root")[2])
sch.remove_branching_through_overcompute(first)
# after
@T.prim_func
def conv1d(A: T.Buffer((3, 8), "float32"), F: T.Buffer((3,), "float32"), B: T.Buffer((3, 8), "float32")):
    T.func_attr({"hexproof.padding.2": "lambda io, ii: io * 8 + ii < 2 or io * 8 + ii >= 20"})
    for io, ii in T.grid(3, 8):
        T.assume(io * 8 + ii >= 2 and io * 8 + ii < 18 or A[io, ii] == T.float32(0.0))
    for bio, bii in T.grid(3, 8):
        B[bio, bii] = T.float32(0.0)
    for bio in range(3):
        if bio == 0:
            for bii, fi in T.grid(8, 3):
                B[bio + (bii + fi) // 8, (bii + fi) % 8] = B[bio + (bii + fi) // 8, (bii + fi) % 8] + F[fi] * A[bio, bii]
        elif bio == 2:
            for bii in range(8):
                if bii < 2:
                    for fi in range(3):
                        B[bio + (bii + fi) // 8, (bii + fi) % 8] = B[bio + (bii + fi) // 8, (bii + fi) % 8] + F[fi] * A[bio, bii]
        else:
            for bii, fi in T.grid(8, 3):
                B[bio + (bii + fi) // 8, (bii + fi) % 8] = B[bio + (bii + fi) // 8, (bii + fi) % 8] + F[fi] * A[bio, bii]
