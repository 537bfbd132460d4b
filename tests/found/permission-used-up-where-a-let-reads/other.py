@T.prim_func
def main(A: T.Buffer((16,), "int32"), B: T.Buffer((2,), "int32")):
    for k in range(16):
        if 14 <= k:
            A[k] = T.undef()
    x: T.int32 = A[3]
    for i in range(4):
        for j in range(4):
            if i * 4 + j < 14:
                A[i * 4 + j] = 7
    B[0] = x
    B[1] = A[14]
