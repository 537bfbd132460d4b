# section: Enhancement - Simplify
# listing before: 912
# listing after: 923
# expect: unchanged
# before
@T.prim_func
def clipped(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        if A[i] < T.float32(0):
            A[i] = A[i] + T.float32(1)
        if A[i] < T.float32(0):
            A[i] = T.float32(0)
# schedule
sch.apply_pass("tir.Simplify")
# after
@T.prim_func
def clipped(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        if A[i] < T.float32(0):
            A[i] = A[i] + T.float32(1)
            A[i] = T.float32(0)
