# section: Enhancement - Simplify
# listing before: 936
# listing after: 945
# before
@T.prim_func
def eighths(A: T.Buffer((16,), "int32"), n: T.int32):
    T.assume(n >= 0 and n < 8)
    for i in range(16):
        A[i] = n // 8
# schedule
sch.apply_pass("tir.Simplify")
# after
@T.prim_func
def eighths(A: T.Buffer((16,), "int32"), n: T.int32):
    T.assume(n >= 0 and n < 8)
    for i in range(16):
        A[i] = 0
