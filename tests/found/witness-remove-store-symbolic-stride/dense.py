@T.prim_func
def main(A: T.Buffer((64,), "int32"), n: T.int32):
    T.assume(n >= 1 and n <= 8)
    for i in range(8):
        A[i * n] = 1
    for j in range(8):
        A[j * n] = 2
