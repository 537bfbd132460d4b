@T.prim_func
def main(A: T.Buffer((5,), "int32"), B: T.Buffer((5,), "int32")):
    V = T.decl_buffer((5,), "int32", data=A.data, strides=[T.int64(4611686018427387904)])
    if A[0] * A[1] == 774427 and A[2] == A[3] + 34567:
        B[0] = V[4]
