# section: Enhancement - Remove No Op
# expect: refused: remove-store refused
# before
@T.prim_func
def read(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = T.float32(3)
        B[i] = A[i] + B[i]
# schedule
sch.remove_no_op("root")
# after
@T.prim_func
def read(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = A[i] + B[i]
