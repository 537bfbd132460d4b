@T.prim_func
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((8,), "int32")):
    x: T.int32 = A[0]
    for i in range(8):
        if x + i < 5:
            B[i] = 1
