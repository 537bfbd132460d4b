# section: New Utility - Reorder Loops According to Buffer
# listing before: 621
# listing after: 643
# errata: the step is written as `sequential_buffer_access(block='compute', buffer='A')`; the loops follow `B`
# schedule
sch.sequential_buffer_access(block="compute", buffer="B")
# after
@T.prim_func
def conv1d(A: T.Buffer((4, 4), "int32"), F: T.Buffer((3,), "int32"), B: T.Buffer((4, 4), "int32")):
    T.func_attr({"hexproof.padding.2": "lambda io, ii: io * 4 + ii >= 14"})
    with T.block("compute"):
        for io, ii in T.grid(4, 4):
            if io * 4 + ii < 14:
                B[io, ii] = 0
                for f in range(3):
                    B[io, ii] = B[io, ii] + F[f] * A[io + (ii + f) // 4, (ii + f) % 4]
