# section: Points of Communication
# listing before: 2811
# listing after: 2834
# repair after: def compute( => def compute_C(
# errata: the second function is named compute_C in the listing before, and compute in this one
# expect: refused: overcompute refused: not true: the store leaves the bits that the cell holds
# before
@I.ir_module
class Halves:
    @T.prim_func
    def transform_A(A: T.Buffer((14,), "int32"), B: T.Buffer((4, 4), "int32")):
        for io, ii in T.grid(4, 4):
            if 4 * io + ii < 14:
                B[io, ii] = A[4 * io + ii]
        for io, ii in T.grid(4, 4):
            if 4 * io + ii >= 14:
                B[io, ii] = T.undef()

    @T.prim_func
    def compute_C(B: T.Buffer((4, 4), "int32"), C: T.Buffer((1,), "int32")):
        for io, ii in T.grid(4, 4):
            T.assume(4 * io + ii < 14 or B[io, ii] == T.undef())
        C[0] = 0
        for io, ii in T.grid(4, 4):
            if 4 * io + ii < 14:
                C[0] = C[0] + B[io, ii]
# schedule
sch.work_on("compute_C")
sch.remove_branching_through_overcompute("root")
# after
@I.ir_module
class Halves:
    @T.prim_func
    def transform_A(A: T.Buffer((14,), "int32"), B: T.Buffer((4, 4), "int32")):
        for io, ii in T.grid(4, 4):
            if 4 * io + ii < 14:
                B[io, ii] = A[4 * io + ii]
            else:
                B[io, ii] = 0
        for io, ii in T.grid(4, 4):
            if 4 * io + ii >= 14:
                B[io, ii] = T.undef()

    @T.prim_func
    def compute_C(B: T.Buffer((4, 4), "int32"), C: T.Buffer((1,), "int32")):
        for io, ii in T.grid(4, 4):
            T.assume(4 * io + ii < 14 or B[io, ii] == T.undef())
        C[0] = 0
        for io, ii in T.grid(4, 4):
            C[0] = C[0] + B[io, ii]
