# section: Padded Transformations
# before
@T.prim_func
def double(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = A[i] * T.float32(2)
# schedule
sch.transform_layout("root", "B", lambda i: [i // 8, i % 8], pad_value=0)
# after
@T.prim_func
def double(A: T.Buffer((16,), "float32"), B: T.Buffer((2, 8), "float32")):
    for i in range(16):
        B[i // 8, i % 8] = A[i] * T.float32(2)
