@T.prim_func
def main(A: T.Buffer((4,), "int32"), D: T.Buffer((4,), "int32")):
    for i in range(4):
        T.assume(A[0] == i)
    D[0] = 2
