# section: Enhancement - Simplify
# listing before: 843
# listing after: 857
# before
@T.prim_func
def halves(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        if i < 8:
            A[i] = T.float32(0)
        else:
            A[i] = T.float32(1)
        if i // 8 == 0:
            B[i] = T.float32(2)
        else:
            B[i] = T.float32(3)
# schedule
sch.apply_pass("tir.Simplify")
# after
@T.prim_func
def halves(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        if i < 8:
            A[i] = T.float32(0)
            B[i] = T.float32(2)
        else:
            A[i] = T.float32(1)
            B[i] = T.float32(3)
