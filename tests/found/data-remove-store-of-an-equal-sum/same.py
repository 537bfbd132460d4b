@T.prim_func
def main(A: T.Buffer((8,), "int8"), B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = T.Cast("int32", A[i] + T.int8(100))
    for i in range(8):
        C[i] = B[i]
    for i in range(8):
        B[i] = T.Cast("int32", A[i] + T.int8(100))
