# section: Points of Communication
# before
@T.prim_func
def single_func(A: T.Buffer((14,), "int32"), C: T.Buffer((1,), "int32")):
    B = T.alloc_buffer((4, 4), "int32")
    with T.block("transform"):
        for io, ii in T.grid(4, 4):
            if 4 * io + ii < 14:
                B[io, ii] = A[4 * io + ii]
            else:
                B[io, ii] = 0
    with T.block("compute"):
        C[0] = 0
        for io, ii in T.grid(4, 4):
            if 4 * io + ii < 14:
                C[0] = C[0] + B[io, ii]
# schedule
sch.hoist_stage("transform", "transform_A")
sch.hoist_stage("compute", "compute_C", expose="values")
sch.work_on("compute_C")
sch.remove_branching_through_overcompute("root")
# after
@I.ir_module
class Module:
    @T.prim_func
    def single_func(A: T.Buffer((14,), "int32"), C: T.Buffer((1,), "int32")):
        B = T.alloc_buffer((4, 4), "int32")
        Module.transform_A(A.data, B.data)
        Module.compute_C(C.data, B.data)

    @T.prim_func
    def transform_A(A: T.Buffer((14,), "int32"), B: T.Buffer((4, 4), "int32")):
        with T.block("transform"):
            for io, ii in T.grid(4, 4):
                if 4 * io + ii < 14:
                    B[io, ii] = A[4 * io + ii]
                else:
                    B[io, ii] = 0

    @T.prim_func
    def compute_C(C: T.Buffer((1,), "int32"), B: T.Buffer((4, 4), "int32")):
        with T.block("compute"):
            for io, ii in T.grid(4, 4):
                T.assume(4 * io + ii < 14 or B[io, ii] == 0)
            C[0] = 0
            for io, ii in T.grid(4, 4):
                C[0] = C[0] + B[io, ii]
