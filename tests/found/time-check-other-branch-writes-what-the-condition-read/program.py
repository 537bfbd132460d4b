@T.prim_func
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    for i in range(16):
        if A[i] <= 7:
            A[i] = i
        else:
            B[i] = 1
    if A[8] > 7:
        C[0] = 5 // B[8]
