# section: Enhancement - Remove No Op
# listing before: 804
# listing after: 813
# asks for: nsz
# before
@T.prim_func
def total(A: T.Buffer((16,), "float32"), B: T.Buffer((1,), "float32")):
    T.func_attr({"hexproof.fp": "nsz"})
    T.assume(B[0] == T.float32(0))
    B[0] = T.float32(0)
    for i in range(16):
        B[0] = B[0] + A[i]
# schedule
sch.remove_no_op("root")
# after
@T.prim_func
def total(A: T.Buffer((16,), "float32"), B: T.Buffer((1,), "float32")):
    T.func_attr({"hexproof.fp": "nsz"})
    T.assume(B[0] == T.float32(0))
    for i in range(16):
        B[0] = B[0] + A[i]
