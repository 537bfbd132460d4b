# section: Explicitly write next operator's desired default at end of function
# expect: refused: overcompute refused: not true: the store leaves the bits that the cell holds
# before
@I.ir_module
class Module:
    @T.prim_func
    def main(B: T.Buffer((1,), "int32")):
        A = T.alloc_buffer((4, 4), "int32")
        Module.producer(A.data)
        Module.consumer(A.data, B.data)

    @T.prim_func
    def producer(A: T.Buffer((4, 4), "int32")):
        for io, ii in T.grid(4, 4):
            if 4 * io + ii < 14:
                A[io, ii] = 1000 + (4 * io + ii)
            else:
                A[io, ii] = 0

    @T.prim_func
    def consumer(A: T.Buffer((4, 4), "int32"), B: T.Buffer((1,), "int32")):
        for io, ii in T.grid(4, 4):
            T.assume(4 * io + ii < 14 or A[io, ii] == 0)
        B[0] = 1
        for io, ii in T.grid(4, 4):
            if 4 * io + ii < 14:
                B[0] = B[0] * A[io, ii]
# schedule
sch.work_on("consumer")
sch.remove_branching_through_overcompute("root")
