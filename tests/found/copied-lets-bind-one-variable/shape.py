@T.prim_func
def main(O: T.Buffer((8,), "int32")):
    x = T.int32()
    B = T.alloc_buffer((T.Let(x + 1, where={x: 7}),), "int32")
    n = T.meta_var(B.shape[0])
    for i in range(n):
        with T.block("P"):
            vi = T.axis.remap("S", [i])
            T.writes(B[:])
            B[vi] = i
    for i in range(n):
        O[i] = B[i]
