@T.prim_func
def main(A: T.Buffer((64,), "int32"), C: T.Buffer((64,), "int32")):
    for i in range(64):
        A[i] = i
    for i in range(64):
        C[i] = A[i]
