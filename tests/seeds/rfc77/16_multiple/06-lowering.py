# section: Multiple Buffer Semantics
# listing before: 2653
# listing after: 2673
# errata: one pass has three names in the document: RemoveAssume, RemoveCompileTimeAssume and RemoveCompileTimeAssumptions
# schedule
sch.apply_pass("tir.RemoveCompileTimeAssume")
sch.apply_pass("tir.RemoveStoreUndef")
# after
@T.prim_func
def row_sums(A: T.Buffer((4, 4, 8, 8), "int32"), B: T.Buffer((4, 4), "int32")):
    T.func_attr({"hexproof.lowered": T.bool(True)})
    for io, ii in T.grid(4, 4):
        B[io, ii] = 0
        for jo, ji in T.grid(8, 8):
            B[io, ii] = B[io, ii] + A[io, ii, jo, ji]
