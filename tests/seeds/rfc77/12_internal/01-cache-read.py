# section: Allocate internal buffer containing transformation padding
# listing before: 1595
# listing after: 1602
# before
@T.prim_func
def total(A: T.Buffer((14,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = 0
    for i in range(14):
        B[0] = B[0] + A[i]
# schedule
sch.cache_read("root", "A", "local")
# after
@T.prim_func
def total(A: T.Buffer((14,), "int32"), B: T.Buffer((1,), "int32")):
    A_local = T.alloc_buffer((14,), "int32", scope="local")
    for ax0 in range(14):
        A_local[ax0] = A[ax0]
    B[0] = 0
    for i in range(14):
        B[0] = B[0] + A_local[i]
