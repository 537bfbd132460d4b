from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((2, 4), "int8"), B: T.Buffer((2, 4), "int8")):
    for i, j in T.grid(2, 4):
        with T.block("copy"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj]
