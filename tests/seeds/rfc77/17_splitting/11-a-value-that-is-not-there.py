# section: Points of Communication
# expect: refused: assume of 'compute_C' at its call
# before
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

    @T.prim_func
    def compute_C(C: T.Buffer((1,), "int32"), B: T.Buffer((4, 4), "int32")):
        with T.block("compute"):
            C[0] = 0
            for io, ii in T.grid(4, 4):
                if 4 * io + ii < 14:
                    C[0] = C[0] + B[io, ii]
# schedule
sch.work_on("compute_C")
sch.expose("B", where=lambda io, ii: 4 * io + ii >= 14, value=0)
