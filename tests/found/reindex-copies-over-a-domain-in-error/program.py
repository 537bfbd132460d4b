@T.prim_func
def f(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (8, n), "int32")
    B = T.match_buffer(b, (8, n), "int32")
    for j in range(n):
        for i in range(8 // n):
            with T.block("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj]
