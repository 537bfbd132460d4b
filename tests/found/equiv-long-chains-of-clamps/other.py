@T.prim_func
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32")):
    C = T.alloc_buffer((1,), "bool")
    C[0] = False
    for i in range(30000):
        C[0] = C[0] or A[0] == i * 3
    B[0] = 0
    if C[0]:
        B[0] = 1
    else:
        B[0] = 2
