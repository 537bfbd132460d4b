@T.prim_func
def f(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (8, n), "int32")
    B = T.match_buffer(b, (8, n), "int32")
    C = T.alloc_buffer((1,), "int32")
    for x in range(1):
        with T.block("p"):
            vx = T.axis.spatial(1, x)
            C[vx] = 5
    for j in range(n):
        for i in range(8 // n):
            with T.block("c"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = C[0] + A[vi, vj]
