# section: Defining Padded Values
# expect: refused: the pad value reads no padding
# before
@T.prim_func
def double(A: T.Buffer((14,), "float32"), B: T.Buffer((14,), "float32")):
    for i in range(14):
        B[i] = A[i] * T.float32(2)
# schedule
sch.transform_layout("root", "B", lambda i: [i // 4, i % 4], pad_value=lambda io, ii: B[3, ii])
