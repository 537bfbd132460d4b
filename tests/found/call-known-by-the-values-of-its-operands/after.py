@T.prim_func
def main(A: T.Buffer((4,), "int8"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.call_pure_extern("int32", "f", T.cast(A[i], "int32"))
