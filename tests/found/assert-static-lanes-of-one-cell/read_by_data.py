from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((4,), "int32")):
    T.assume(A[0] == 2)
    for i in range(2):
        B[T.Ramp(0, 1, 4)] = A[T.Ramp(i, 1, 4) // 2]
