# section: Allocate internal buffer containing transformation padding
# listing before: 1613
# listing after: 1629
# document before: equal
# document after: equal
# schedule
sch.sequential_buffer_access("root", "A_local")
# after
@T.prim_func
def total(A: T.Buffer((14,), "int32"), B: T.Buffer((1,), "int32")):
    A_local = T.alloc_buffer((4, 4), "int32", scope="local")
    for ax0o, ax0i in T.grid(4, 4):
        if ax0o * 4 + ax0i < 14:
            A_local[ax0o, ax0i] = A[ax0o * 4 + ax0i]
    for io, ii in T.grid(4, 4):
        if io * 4 + ii >= 14:
            A_local[io, ii] = 0
    B[0] = 0
    for io, ii in T.grid(4, 4):
        if io * 4 + ii < 14:
            B[0] = B[0] + A_local[io, ii]
