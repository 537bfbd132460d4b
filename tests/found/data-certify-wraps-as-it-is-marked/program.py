@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    for i in range(64):
        if A[i] + 1 > A[i]:
            B[i] = T.wrap(i * 100000000) // 3
        else:
            B[i] = T.wrap(2147483647 + i) - A[i]
