# section: Apply operator element-wise over the transformation padding
# listing before: 2526
# listing after: 2543
# schedule
sch.apply_pass("tir.RemoveAssume")
sch.apply_pass("tir.RemoveStoreUndef")
# after
@T.prim_func
def double(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    T.func_attr({"hexproof.lowered": T.bool(True)})
    for io, ii in T.grid(4, 4):
        B[io, ii] = 2 * A[io, ii]
