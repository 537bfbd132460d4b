@T.prim_func
def main(a: T.handle, o: T.handle, m: T.int32):
    n = T.int32()
    A = T.match_buffer(a, (n, 4), "bool")
    O = T.match_buffer(o, (n,), "bool")
    B = T.alloc_buffer((n, 4), "bool")
    T.assume(n <= 100)
    for i, j in T.grid(n, 4):
        with T.block("P"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = not A[vi, vj]
    for i, k in T.grid(n, 4):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                O[vi] = False
            O[vi] = O[vi] or B[vi, vk]
