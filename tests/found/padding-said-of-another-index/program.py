# from tvm.script import tir as T
@T.prim_func
def main(X: T.Buffer((1,), "float32"), A: T.Buffer((6, 8), "int32"), C: T.Buffer((6, 4), "int32")):
    B = T.alloc_buffer((8, 4), "int32")
    if T.exp(X[0]) == T.float32(3.4368929862976074):
        for i, j in T.grid(8, 4):
            if i < 6:
                B[i, j] = A[i, j]
        for i, j in T.grid(6, 4):
            C[i, j] = B[i, j]
