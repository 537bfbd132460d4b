# section: Enhancement - Remove No Op
# expect: refused: remove-store refused
# before
@T.prim_func
def subset(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    with T.block("first"):
        for i in range(16):
            B[i] = A[i]
    with T.block("second"):
        for i in range(15):
            B[i] = A[15 - i]
# schedule
sch.remove_no_op("root")
# after
@T.prim_func
def subset(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    with T.block("second"):
        for i in range(15):
            B[i] = A[15 - i]
