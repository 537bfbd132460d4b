@T.prim_func
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32")):
    C = T.alloc_buffer((1,), "bool")
    C[0] = True
    for i in range(100000):
        C[0] = C[0] and A[0] != i * 3
    T.assume(C[0])
    B[0] = 0
