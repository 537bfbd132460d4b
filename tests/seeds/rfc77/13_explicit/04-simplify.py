# section: Explicitly write next operator's desired default at end of function
# listing before: 1735
# listing after: 1757
# document before: no program
# repair before: 1000 + i => 1000 + (4 * io + ii)
# document after: no program
# repair after: 1000 + i => 1000 + (4 * io + ii)
# errata: the producer goes on to store 1000 + i, where there is no i
# schedule
sch.work_on("producer")
sch.apply_pass("tir.Simplify")
# after
@I.ir_module
class Module:
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
            if io * 4 + ii < 14:
                B[0] = B[0] + A[io, ii]
