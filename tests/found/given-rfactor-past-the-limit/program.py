@T.prim_func
def main(a: T.handle, c: T.handle):
    n = T.int32()
    m = T.int32()
    A = T.match_buffer(a, (m,), "int32")
    C = T.match_buffer(c, (n,), "int32")
    T.assume(n > 0 and m > 0)
    for i, k in T.grid(n, m):
        with T.block("s"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi] = 0
            C[vi] = C[vi] + A[vk]
