# section: Allocate internal buffer containing transformation padding
# listing before: 1602
# listing after: 1613
# document after: equal
# schedule
sch.transform_layout("root", "A_local", lambda i: [i // 4, i % 4], pad_value=0)
# after
@T.prim_func
def total(A: T.Buffer((14,), "int32"), B: T.Buffer((1,), "int32")):
    A_local = T.alloc_buffer((4, 4), "int32", scope="local")
    for ax0 in range(14):
        A_local[ax0 // 4, ax0 % 4] = A[ax0]
    for io, ii in T.grid(4, 4):
        if io * 4 + ii >= 14:
            A_local[io, ii] = 0
    B[0] = 0
    for i in range(14):
        B[0] = B[0] + A_local[i // 4, i % 4]
