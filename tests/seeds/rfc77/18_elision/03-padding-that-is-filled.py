# section: Unresolved questions
# expect: refused: no access touches padding
# before
@T.prim_func
def copy(X: T.Buffer((14,), "float32"), Y: T.Buffer((14,), "float32")):
    A = T.alloc_buffer((4, 4), "float32")
    for i in range(14):
        A[i // 4, i % 4] = X[i]
    for io, ii in T.grid(4, 4):
        if io * 4 + ii >= 14:
            A[io, ii] = T.float32(0)
    for i in range(14):
        Y[i] = A[i // 4, i % 4]
# schedule
sch.elide_padding("root", "A", shape=[14], index_map=lambda i: [i // 4, i % 4])
# after
@T.prim_func
def copy(X: T.Buffer((14,), "float32"), Y: T.Buffer((14,), "float32")):
    A_backing = T.alloc_buffer((14,), "float32")
    A = T.decl_buffer((4, 4), "float32", data=A_backing.data)
    for i in range(14):
        A[i // 4, i % 4] = X[i]
    for io, ii in T.grid(4, 4):
        if io * 4 + ii >= 14:
            A[io, ii] = T.float32(0)
    for i in range(14):
        Y[i] = A[i // 4, i % 4]
