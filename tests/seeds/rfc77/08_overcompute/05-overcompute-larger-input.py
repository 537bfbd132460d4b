# section: New Primitive - Remove Branching Through Overcompute
# listing before: 1300
# listing after: 1332
# repair before: A: T.Buffer[(4, 4), => A: T.Buffer[(5, 4),
# repair after: A: T.Buffer[(4, 4), => A: T.Buffer[(5, 4),
# errata: with a row more in A the branch can go as the document has it
# before
@T.prim_func
def window_sums(A: T.Buffer((5, 4), "float32"), F: T.Buffer((3,), "float32"), B: T.Buffer((4, 4), "float32")):
    with T.block("compute"):
        for io, ii in T.grid(4, 4):
            if 0 <= 4 * io + ii and 4 * io + ii < 14:
                B[io, ii] = T.float32(0)
                for f in range(3):
                    B[io, ii] = B[io, ii] + A[io + (ii + f) // 4, (ii + f) % 4]
        for io, ii in T.grid(4, 4):
            if io == 3 and ii >= 2:
                B[io, ii] = T.float32(0)
# schedule
sch.remove_branching_through_overcompute("compute")
# after
@T.prim_func
def window_sums(A: T.Buffer((5, 4), "float32"), F: T.Buffer((3,), "float32"), B: T.Buffer((4, 4), "float32")):
    with T.block("compute"):
        for io, ii in T.grid(4, 4):
            B[io, ii] = T.float32(0.0)
            for f in range(3):
                B[io, ii] = B[io, ii] + A[io + (ii + f) // 4, (ii + f) % 4]
        for io, ii in T.grid(4, 4):
            if io == 3 and ii >= 2:
                B[io, ii] = T.float32(0.0)
