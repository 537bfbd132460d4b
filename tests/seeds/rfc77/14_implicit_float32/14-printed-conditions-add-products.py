# section: Implicitly write default value of next operator
# listing before: 2113
# document before: equal
# listing after: 2155
# document after: refuted
# errata: `(ii >= 2) or (ii + fi >= 2)` is not what `not (ii < 2) and not (ii + fi < 2)` simplifies to, which is
#  `ii >= 2`: it adds `F[fi] * 0.0`, which is a NaN for an infinite `F[fi]`
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
            for bii, fi in T.grid(8, 3):
                if not bii + fi < 2 and not bii < 2:
                    B[bio + (bii + fi) // 8, (bii + fi) % 8] = B[bio + (bii + fi) // 8, (bii + fi) % 8] + F[fi] * A[bio, bii]
        elif bio == 2:
            for bii, fi in T.grid(8, 3):
                if not bii + fi >= 4 and not bii >= 2:
                    B[bio + (bii + fi) // 8, (bii + fi) % 8] = B[bio + (bii + fi) // 8, (bii + fi) % 8] + F[fi] * A[bio, bii]
        else:
            for bii, fi in T.grid(8, 3):
                B[bio + (bii + fi) // 8, (bii + fi) % 8] = B[bio + (bii + fi) // 8, (bii + fi) % 8] + F[fi] * A[bio, bii]
# schedule
sch.simplify_conditions(sch.get_child_loops("root")[2])
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
                if 2 <= bii:
                    B[bio + (bii + fi) // 8, (bii + fi) % 8] = B[bio + (bii + fi) // 8, (bii + fi) % 8] + F[fi] * A[bio, bii]
        elif bio == 2:
            for bii, fi in T.grid(8, 3):
                if bii < 2:
                    B[bio + (bii + fi) // 8, (bii + fi) % 8] = B[bio + (bii + fi) // 8, (bii + fi) % 8] + F[fi] * A[bio, bii]
        else:
            for bii, fi in T.grid(8, 3):
                B[bio + (bii + fi) // 8, (bii + fi) % 8] = B[bio + (bii + fi) // 8, (bii + fi) % 8] + F[fi] * A[bio, bii]
