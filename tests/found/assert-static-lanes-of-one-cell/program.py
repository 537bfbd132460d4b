from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((4,), "int32")):
    A[T.Ramp(2, 0, 4)] = T.Ramp(5, 1, 4)
    for i in range(4):
        B[i] = A[2]
