# section: Points of Communication
# listing before: 2811
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
sch.work_on("transform_A")
sch.fill_branch("root", "B", 0)
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
            if 4 * io + ii < 14:
                C[0] = C[0] + B[io, ii]
