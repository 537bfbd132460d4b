# section: New Utility - Reorder Loops According to Buffer
# listing before: 547
# listing after: 555
# schedule
sch.sequential_buffer_access(block="compute", buffer="A")
# after
@T.prim_func
def count(A: T.Buffer((4, 4), "int32")):
    with T.block("compute"):
        for io, ii in T.grid(4, 4):
            A[io, ii] = io * 4 + ii
