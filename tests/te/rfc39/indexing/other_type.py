@T.prim_func
def int32_load_from_float32_buffer(A: T.Buffer[(64,), "float32"], B: T.Buffer[(64,), "int32"]):
    A_bits = T.buffer_decl([64], "int32", data=A.data)
    assert A[0].dtype == "float32"
    assert A_bits[0].dtype == "int32"
    for i in range(64):
        B[i] = A_bits[i] & 0x7FFFFFFF
