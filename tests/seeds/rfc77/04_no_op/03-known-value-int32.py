# section: Enhancement - Remove No Op
# before
@T.prim_func
def total(A: T.Buffer((16,), "int32"), B: T.Buffer((1,), "int32")):
    T.assume(B[0] == 0)
    B[0] = 0
    for i in range(16):
        B[0] = B[0] + A[i]
# schedule
sch.remove_no_op("root")
# after
@T.prim_func
def total(A: T.Buffer((16,), "int32"), B: T.Buffer((1,), "int32")):
    T.assume(B[0] == 0)
    for i in range(16):
        B[0] = B[0] + A[i]
