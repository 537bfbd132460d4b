# section: New Utility - Reorder Loops According to Buffer
# listing before: 583
# listing after: 591
# schedule
sch.sequential_buffer_access(block="compute", buffer="A")
# after
@T.prim_func
def count(A: T.Buffer((4, 4), "int32")):
    T.func_attr({"hexproof.padding.0": "lambda io, ii: io * 4 + ii >= 14"})
    with T.block("compute"):
        for io, ii in T.grid(4, 4):
            if io * 4 + ii < 14:
                A[io, ii] = io * 4 + ii
