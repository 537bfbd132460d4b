# section: Unresolved questions
# before
@T.prim_func
def copy(X: T.Buffer((14,), "float32"), Y: T.Buffer((14,), "float32")):
    A = T.alloc_buffer((4, 4), "float32")
    for io, ii in T.grid(4, 4):
        if io * 4 + ii < 14:
            A[io, ii] = X[io * 4 + ii]
    for i in range(14):
        Y[i] = A[i // 4, i % 4]
# schedule
sch.elide_padding("root", "A", shape=[14], index_map=lambda i: [i // 4, i % 4])
# after
@T.prim_func
def copy(X: T.Buffer((14,), "float32"), Y: T.Buffer((14,), "float32")):
    A_backing = T.alloc_buffer((14,), "float32")
    A = T.decl_buffer((4, 4), "float32", data=A_backing.data)
    for io, ii in T.grid(4, 4):
        if io * 4 + ii < 14:
            A[io, ii] = X[io * 4 + ii]
    for i in range(14):
        Y[i] = A[i // 4, i % 4]
