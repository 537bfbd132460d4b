# section: Enhancement - Remove No Op
# listing before: 804
# listing after: 813
# document after: refuted
# errata: the store is a no-op only where the sign of a zero does not matter: the cell may hold `-0.0`, which equals `0.0`, and
#   the store makes it `0.0`
# expect: refused: nsz
# before
@T.prim_func
def total(A: T.Buffer((16,), "float32"), B: T.Buffer((1,), "float32")):
    T.assume(B[0] == T.float32(0))
    B[0] = T.float32(0)
    for i in range(16):
        B[0] = B[0] + A[i]
# schedule
sch.remove_no_op("root")
# after
@T.prim_func
def total(A: T.Buffer((16,), "float32"), B: T.Buffer((1,), "float32")):
    T.assume(B[0] == T.float32(0))
    for i in range(16):
        B[0] = B[0] + A[i]
