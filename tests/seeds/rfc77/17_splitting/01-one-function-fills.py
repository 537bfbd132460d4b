# section: Points of Communication
# listing before: 2712
# listing after: 2729
# document after: no program
# repair after: with T.block("transform"):\n        B = T.alloc_buffer([4, 4], "int32") => B = T.alloc_buffer([4, 4], "int32")\n    with T.block("transform"):
# errata: B is allocated inside of the block "transform" and read in the block "compute", where it is not in scope
# before
@T.prim_func
def single_func(A: T.Buffer((14,), "int32"), C: T.Buffer((1,), "int32")):
    B = T.alloc_buffer((4, 4), "int32")
    with T.block("transform"):
        for io, ii in T.grid(4, 4):
            if 4 * io + ii < 14:
                B[io, ii] = A[4 * io + ii]
    with T.block("compute"):
        C[0] = 0
        for io, ii in T.grid(4, 4):
            if 4 * io + ii < 14:
                C[0] = C[0] + B[io, ii]
# schedule
sch.fill_branch("transform", "B", 0)
# after
@T.prim_func
def single_func(A: T.Buffer((14,), "int32"), C: T.Buffer((1,), "int32")):
    B = T.alloc_buffer((4, 4), "int32")
    with T.block("transform"):
        for io, ii in T.grid(4, 4):
            if 4 * io + ii < 14:
                B[io, ii] = A[4 * io + ii]
            else:
                B[io, ii] = 0
    with T.block("compute"):
        C[0] = 0
        for io, ii in T.grid(4, 4):
            if 4 * io + ii < 14:
                C[0] = C[0] + B[io, ii]
