@T.prim_func
def f(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (8, n), "int32")
    B = T.match_buffer(b, (4, 8, n), "int32")
    C = T.alloc_buffer((8, n), "int32")
    for j in range(n):
        for i in range(8 // n):
            with T.block("p"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj] + 1
    for x in range(4):
        for j in range(n):
            for i in range(8 // n):
                with T.block("c"):
                    vx, vi, vj = T.axis.remap("SSS", [x, i, j])
                    B[vx, vi, vj] = C[vi, vj]
