# section: Implicitly write default value of next operator
# listing before: 2197
# document before: equal
# listing after: 2272
# document after: refuted
# errata: `F[fi] * A[io, ii]` with `A[io, ii] == 0.0` is a NaN for an infinite `F[fi]`, and adding it no no-op;
#  on finite data it may still turn -0.0 into 0.0
# before
@T.prim_func
def conv1d(A: T.Buffer((3, 8), "float32"), F: T.Buffer((3,), "float32"), B: T.Buffer((3, 8), "float32")):
    for io, ii in T.grid(3, 8):
        T.assume(io * 8 + ii >= 2 and io * 8 + ii < 18 or A[io, ii] == 0.0)
    for io, ii in T.grid(3, 8):
        B[io, ii] = 0.0
    for io in range(3):
        if io == 0:
            for ii in range(8):
                if ii >= 2:
                    for fi in range(3):
                        B[io + (ii + fi) // 8, (ii + fi) % 8] = B[io + (ii + fi) // 8, (ii + fi) % 8] + F[fi] * A[io, ii]
                else:
                    for fi in range(3):
                        if ii + fi >= 2:
                            B[io + (ii + fi) // 8, (ii + fi) % 8] = B[io + (ii + fi) // 8, (ii + fi) % 8] + F[fi] * A[io, ii]
        elif io == 2:
            for ii in range(8):
                if ii < 2:
                    for fi in range(3):
                        B[io + (ii + fi) // 8, (ii + fi) % 8] = B[io + (ii + fi) // 8, (ii + fi) % 8] + F[fi] * A[io, ii]
                else:
                    for fi in range(3):
                        if ii + fi < 4:
                            B[io + (ii + fi) // 8, (ii + fi) % 8] = B[io + (ii + fi) // 8, (ii + fi) % 8] + F[fi] * A[io, ii]
        else:
            for ii, fi in T.grid(8, 3):
                B[io + (ii + fi) // 8, (ii + fi) % 8] = B[io + (ii + fi) // 8, (ii + fi) % 8] + F[fi] * A[io, ii]
# schedule
sch.apply_pass("tir.Simplify")
# after
@T.prim_func
def conv1d(A: T.Buffer((3, 8), "float32"), F: T.Buffer((3,), "float32"), B: T.Buffer((3, 8), "float32")):
    for io, ii in T.grid(3, 8):
        T.assume(io * 8 + ii >= 2 and io * 8 + ii < 18 or A[io, ii] == T.float32(0.0))
    for io, ii in T.grid(3, 8):
        B[io, ii] = T.float32(0.0)
    for io in range(3):
        if io == 0:
            for ii in range(8):
                if ii >= 2:
                    for fi in range(3):
                        B[io + (ii + fi) // 8, (ii + fi) % 8] = B[io + (ii + fi) // 8, (ii + fi) % 8] + F[fi] * A[io, ii]
                else:
                    for fi in range(3):
                        if ii + fi >= 2:
                            B[io, ii + fi] = B[io, ii + fi] + F[fi] * A[io, ii]
        elif io == 2:
            for ii in range(8):
                if ii < 2:
                    for fi in range(3):
                        B[io, ii + fi] = B[io, ii + fi] + F[fi] * A[io, ii]
                else:
                    for fi in range(3):
                        if ii + fi < 4:
                            B[io, ii + fi] = B[io, ii + fi] + F[fi] * A[io, ii]
        else:
            for ii, fi in T.grid(8, 3):
                B[io + (ii + fi) // 8, (ii + fi) % 8] = B[io + (ii + fi) // 8, (ii + fi) % 8] + F[fi] * A[io, ii]
