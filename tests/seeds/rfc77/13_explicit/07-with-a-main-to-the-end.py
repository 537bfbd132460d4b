# section: Explicitly write next operator's desired default at end of function
# schedule
sch.work_on("producer")
sch.sequential_buffer_access("root", "A")
sch.merge_adjacent_loops(sch.get_loop("io", 0), sch.get_loop("io", 1))
sch.apply_pass("tir.Simplify")
sch.work_on("consumer")
sch.sequential_buffer_access("root", "A")
sch.remove_branching_through_overcompute("root")
# after
@I.ir_module
class Module:
    @T.prim_func
    def main(B: T.Buffer((1,), "int32")):
        A = T.alloc_buffer((4, 4), "int32")
        Module.producer(A.data)
        Module.consumer(A.data, B.data)

    @T.prim_func
    def producer(A: T.Buffer((4, 4), "int32")):
        T.func_attr({"hexproof.padding.0": "lambda io, ii: io * 4 + ii >= 14"})
        for io, ii in T.grid(4, 4):
            if io * 4 + ii < 14:
                A[io, ii] = 1000 + (io * 4 + ii)
            else:
                A[io, ii] = 0

    @T.prim_func
    def consumer(A: T.Buffer((4, 4), "int32"), B: T.Buffer((1,), "int32")):
        for io, ii in T.grid(4, 4):
            T.assume(io * 4 + ii < 14 or A[io, ii] == 0)
        B[0] = 0
        for io, ii in T.grid(4, 4):
            B[0] = B[0] + A[io, ii]
