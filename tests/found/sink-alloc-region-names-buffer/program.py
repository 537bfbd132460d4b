from tvm.script import tir as T
@T.prim_func
def main(B: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    A = T.alloc_buffer((4,), "int32")
    for j in range(4):
        with T.block("x"):
            v = T.axis.spatial(4, j)
            T.reads(A[0:4])
            T.writes(B[v])
            B[v] = 1
    for i in range(4):
        A[i] = i
        C[i] = A[i]
