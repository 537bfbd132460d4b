@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for k in range(8):
        T.assume(A[k] == k)
    for i in range(8):
        B[A[i]] = i
