@T.prim_func
def main(A: T.Buffer((4,), "int32"), D: T.Buffer((4,), "int32")):
    T.assume(A[0] <= 10)
    if A[0] > 3:
        T.assume(A[0] > 20)
    D[A[0]] = 1
