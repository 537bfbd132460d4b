@T.prim_func
def main(A: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), D: T.Buffer((4,), "int32")):
    for i in range(2):
        for k in range(1):
            n: T.int32 = T.bitwise_and(A[0], 1)
            V = T.decl_buffer((1,), "int32", data=D.data, elem_offset=n)
            if i == 0:
                for z in range(T.bitwise_and(V[0], 3)):
                    C[z] = 0
            if i == 1:
                for z in range(T.bitwise_and(V[0], 3)):
                    B[C[z]] = 3
        A[0] = A[0] + 1
