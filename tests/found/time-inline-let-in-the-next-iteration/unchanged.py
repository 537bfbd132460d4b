@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    x: T.int32 = A[7]
    for i in range(8):
        B[i] = x
        if i < 7:
            A[i] = i
