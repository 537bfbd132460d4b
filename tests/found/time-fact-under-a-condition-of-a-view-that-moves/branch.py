@T.prim_func
def main(A: T.Buffer((1,), "int32"), D: T.Buffer((2,), "int32"), C: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32"), G: T.Buffer((4,), "int32")):
    A[0] = 0
    for i in range(2):
        for k in range(1):
            n: T.int32 = A[0]
            V = T.decl_buffer((1,), "int32", data=D.data, elem_offset=T.bitwise_and(n, 1))
            if i == 0:
                if V[0] == 774427123:
                    C[0] = 0
            if i == 1:
                if V[0] == 774427123:
                    if G[2] * G[3] == 774427 and G[1] == G[0] + 34567:
                        if C[0] == 0:
                            with T.block("b"):
                                B[0] = 3
        A[0] = 1
