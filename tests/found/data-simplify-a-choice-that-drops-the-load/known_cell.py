@T.prim_func
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        T.assume(A[i] == 2147483647)
    for i in range(4):
        B[i] = (A[i] + i) // 2 + 0 * A[i]
