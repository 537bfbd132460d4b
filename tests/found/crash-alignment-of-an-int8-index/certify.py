from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((64,), "int16"), B: T.Buffer((64,), "int16")):
    for i in T.vectorized(T.int8(64)):
        B[i] = A[i]
