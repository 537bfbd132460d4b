@T.prim_func
def main(A: T.Buffer((4, 100), "int32"), B: T.Buffer((4, 100), "int32")):
    W = T.alloc_buffer((T.int8(4), T.int8(100)), "int32")
    for i, j in T.grid(4, 100):
        with T.block("W"):
            vi, vj = T.axis.remap("SS", [i, j])
            W[vi, vj] = A[vi, vj]
    for i, j in T.grid(4, 100):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = W[vi, vj]
