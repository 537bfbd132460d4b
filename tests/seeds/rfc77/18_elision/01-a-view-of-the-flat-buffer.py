# section: Unresolved questions
# before
@T.prim_func
def copy(X: T.Buffer((14,), "float32"), Y: T.Buffer((14,), "float32")):
    A = T.alloc_buffer((14,), "float32")
    for i in range(14):
        A[i] = X[i]
    for i in range(14):
        Y[i] = A[i]
# schedule
sch.transform_layout("root", "A", lambda i: [i // 4, i % 4])
sch.elide_padding("root", "A")
# after
@T.prim_func
def copy(X: T.Buffer((14,), "float32"), Y: T.Buffer((14,), "float32")):
    A_backing = T.alloc_buffer((14,), "float32")
    A = T.decl_buffer((4, 4), "float32", data=A_backing.data)
    for i in range(14):
        A[i // 4, i % 4] = X[i]
    for i in range(14):
        Y[i] = A[i // 4, i % 4]
