@T.prim_func
def main(a: T.handle, O: T.Buffer((4,), "int32")):
    n = T.int32()
    A = T.match_buffer(a, (4, n), "int32")
    for i, k in T.grid(4, n):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                O[vi] = 0
            O[vi] = O[vi] + A[vi, vk]
