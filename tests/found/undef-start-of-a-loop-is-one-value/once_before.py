@T.prim_func
def main(A: T.Buffer((4,), "int32"), X: T.Buffer((4,), "int32"), m: T.int32):
    T.assume(m == 1)
    for i in range(4):
        A[i] = T.undef(dtype="int32")
        for k in range(m):
            A[i] = A[i] - A[i]
