# section: Explicitly write next operator's desired default at end of function
# listing before: 1674
# listing after: 1689
# before
@I.ir_module
class Module:
    @T.prim_func
    def producer(A: T.Buffer((14,), "int32")):
        for i in range(14):
            A[i] = 1000 + i

    @T.prim_func
    def consumer(A: T.Buffer((14,), "int32"), B: T.Buffer((1,), "int32")):
        B[0] = 0
        for i in range(14):
            B[0] = B[0] + A[i]
# schedule
sch.work_on("producer")
sch.transform_layout("root", "A", lambda i: [i // 4, i % 4], pad_value=0)
sch.work_on("consumer")
sch.transform_layout("root", "A", lambda i: [i // 4, i % 4], pad_value=0)
# after
@I.ir_module
class Module:
    @T.prim_func
    def producer(A: T.Buffer((4, 4), "int32")):
        T.func_attr({"hexproof.padding.0": "lambda io, ii: io * 4 + ii >= 14"})
        for i in range(14):
            A[i // 4, i % 4] = 1000 + i
        for io, ii in T.grid(4, 4):
            if io * 4 + ii >= 14:
                A[io, ii] = 0

    @T.prim_func
    def consumer(A: T.Buffer((4, 4), "int32"), B: T.Buffer((1,), "int32")):
        for io, ii in T.grid(4, 4):
            T.assume(io * 4 + ii < 14 or A[io, ii] == 0)
        B[0] = 0
        for i in range(14):
            B[0] = B[0] + A[i // 4, i % 4]
