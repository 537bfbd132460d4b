@T.prim_func
def main(A: T.Buffer((4, 4), "float32x4"), B: T.Buffer((4,), "float32x4")):
    for i, j in T.grid(4, 4):
        with T.block("b"):
            vi, vj = T.axis.remap("RS", [i, j])
            with T.init():
                B[vj] = T.Broadcast(T.float32(0), 4)
            B[vj] = B[vj] + A[vi, vj]
