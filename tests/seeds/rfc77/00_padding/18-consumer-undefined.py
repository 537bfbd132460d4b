# section: Defining Padded Values
# before
@T.prim_func
def double(A: T.Buffer((14,), "float32"), B: T.Buffer((14,), "float32")):
    for i in range(14):
        B[i] = A[i] * T.float32(2)
# schedule
sch.transform_layout("root", "A", lambda i: [i // 4, i % 4], pad_value=tir.undef(dtype="float32"))
# after
@T.prim_func
def double(A: T.Buffer((4, 4), "float32"), B: T.Buffer((14,), "float32")):
    for io, ii in T.grid(4, 4):
        T.assume(io * 4 + ii < 14 or A[io, ii] == T.undef("float32"))
    for i in range(14):
        B[i] = A[i // 4, i % 4] * T.float32(2)
