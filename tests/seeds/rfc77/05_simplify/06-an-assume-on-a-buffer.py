# section: Enhancement - Simplify
# listing before: 960
# listing after: 969
# before
@T.prim_func
def total(A: T.Buffer((16,), "int32"), B: T.Buffer((1,), "int32")):
    T.assume(B[0] == 0)
    if A[0] == B[0]:
        for i in range(16):
            B[0] = B[0] + A[i]
# schedule
sch.apply_pass("tir.Simplify")
# after
@T.prim_func
def total(A: T.Buffer((16,), "int32"), B: T.Buffer((1,), "int32")):
    T.assume(B[0] == 0)
    if A[0] == 0:
        for i in range(16):
            B[0] = B[0] + A[i]
