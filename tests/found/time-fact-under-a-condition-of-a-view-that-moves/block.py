@T.prim_func
def main(A: T.Buffer((1,), "int32"), D: T.Buffer((2,), "int32"), C: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32"), G: T.Buffer((4,), "int32")):
    A[0] = 0
    for i in range(2):
        with T.block("x"):
            vi = T.axis.opaque(2, i)
            vn = T.axis.opaque(2, T.bitwise_and(A[0], 1))
            V = T.decl_buffer((1,), "int32", data=D.data, elem_offset=vn)
            if vi == 0:
                if V[0] == 774427123:
                    C[0] = 0
            if vi == 1:
                if V[0] == 774427123:
                    if G[2] * G[3] == 774427 and G[1] == G[0] + 34567:
                        B[C[0]] = 3
        A[0] = 1
