# section: New Utility - Reorder Loops According to Buffer
# listing before: 621
# listing after: 670
# document after: equal
# before
@T.prim_func
def conv1d(A: T.Buffer((4, 4), "int32"), F: T.Buffer((3,), "int32"), B: T.Buffer((4, 4), "int32")):
    T.func_attr({"hexproof.padding.2": "lambda io, ii: io * 4 + ii >= 14"})
    with T.block("compute"):
        for i in range(14):
            B[i // 4, i % 4] = 0
            for f in range(3):
                B[i // 4, i % 4] = B[i // 4, i % 4] + F[f] * A[(i + f) // 4, (i + f) % 4]
# schedule
sch.sequential_buffer_access(block="compute", buffer="A")
# after
@T.prim_func
def conv1d(A: T.Buffer((4, 4), "int32"), F: T.Buffer((3,), "int32"), B: T.Buffer((4, 4), "int32")):
    T.func_attr({"hexproof.padding.2": "lambda io, ii: io * 4 + ii >= 14"})
    with T.block("compute"):
        for i in range(14):
            B[i // 4, i % 4] = 0
        for io, ii, f in T.grid(4, 4, 3):
            if io * 4 + ii - f >= 0 and io * 4 + ii - f < 14:
                B[io + (ii - f) // 4, (ii - f) % 4] = B[io + (ii - f) // 4, (ii - f) % 4] + F[f] * A[io, ii]
