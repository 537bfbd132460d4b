# section: Implicitly write default value of next operator
# document type: int32
# listing before: 2155
# document before: equal
# listing after: 2197
# document after: equal
# before
@T.prim_func
def conv1d(A: T.Buffer((3, 8), "int32"), F: T.Buffer((3,), "int32"), B: T.Buffer((3, 8), "int32")):
    for io, ii in T.grid(3, 8):
        T.assume(io * 8 + ii >= 2 and io * 8 + ii < 18 or A[io, ii] == 0)
    for io, ii in T.grid(3, 8):
        B[io, ii] = 0
    for io in range(3):
        if io == 0:
            for ii, fi in T.grid(8, 3):
                if ii >= 2 or ii + fi >= 2:
                    B[io + (ii + fi) // 8, (ii + fi) % 8] = B[io + (ii + fi) // 8, (ii + fi) % 8] + F[fi] * A[io, ii]
        elif io == 2:
            for ii, fi in T.grid(8, 3):
                if ii < 2 or ii + fi < 4:
                    B[io + (ii + fi) // 8, (ii + fi) % 8] = B[io + (ii + fi) // 8, (ii + fi) % 8] + F[fi] * A[io, ii]
        else:
            for ii, fi in T.grid(8, 3):
                B[io + (ii + fi) // 8, (ii + fi) % 8] = B[io + (ii + fi) // 8, (ii + fi) % 8] + F[fi] * A[io, ii]
# schedule
conv = sch.get_child_loops("root")[2]
sch.hoist_expression(conv, conditionals="BooleanExpression")
# after
@T.prim_func
def conv1d(A: T.Buffer((3, 8), "int32"), F: T.Buffer((3,), "int32"), B: T.Buffer((3, 8), "int32")):
    for io, ii in T.grid(3, 8):
        T.assume(io * 8 + ii >= 2 and io * 8 + ii < 18 or A[io, ii] == 0)
    for io, ii in T.grid(3, 8):
        B[io, ii] = 0
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
