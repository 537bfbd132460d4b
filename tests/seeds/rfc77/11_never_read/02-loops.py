# section: Never read from transformation padding
# listing before: 1563
# listing after: 1571
# schedule
sch.sequential_buffer_access("root", "A")
# after
@T.prim_func
def total(A: T.Buffer((4, 4), "int32"), B: T.Buffer((1,), "int32")):
    T.func_attr({"hexproof.padding.0": "lambda io, ii: io * 4 + ii >= 14"})
    B[0] = 0
    for io, ii in T.grid(4, 4):
        if io * 4 + ii < 14:
            B[0] = B[0] + A[io, ii]
