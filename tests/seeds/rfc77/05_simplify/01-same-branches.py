# section: Enhancement - Simplify
# before
@T.prim_func
def same(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        if A[i] < T.float32(0):
            B[i] = A[i] + T.float32(1)
        else:
            B[i] = A[i] + T.float32(1)
# schedule
sch.apply_pass("tir.Simplify")
# after
@T.prim_func
def same(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = A[i] + T.float32(1)
