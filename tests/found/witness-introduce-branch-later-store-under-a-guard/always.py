@T.prim_func
def main(A: T.Buffer((16,), "int32"), n: T.int32):
    for i in range(8):
        A[i] = i
    for j in range(4):
        A[j + 1] = 2
