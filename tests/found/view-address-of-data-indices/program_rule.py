@T.prim_func
def f(A: T.Buffer((400,), "int32"), F: T.Buffer((2,), "int8")):
    T.assume(F[0] == T.int8(3))
    V = T.decl_buffer((T.int8(4), T.int8(100)), "int32", data=A.data)
    V[F[0], T.int8(0)] = 1
    A[44] = 2
