# section: Enhancement - Remove No Op
# before
@T.prim_func
def unread(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    copy = T.alloc_buffer((16,), "float32")
    for i in range(16):
        copy[i] = A[i]
    for i in range(16):
        B[i] = A[i]
# schedule
sch.remove_no_op("root")
# after
@T.prim_func
def unread(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = A[i]
