@T.prim_func
def f(A: T.Buffer((100,), "int32"), B: T.Buffer((100,), "int32"), n: T.int32):
    T.assume(n >= 0 and n <= 50)
    C = T.alloc_buffer((n,), "int32")
    for i in range(n):
        with T.block("c"):
            vi = T.axis.spatial(n, i)
            C[vi] = A[vi]
    for i in range(n):
        with T.block("b"):
            vi = T.axis.spatial(n, i)
            B[vi] = C[vi]
