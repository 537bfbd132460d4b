from tvm.script import tir as T
@T.prim_func
def main(B: T.Buffer((4,), "int32"), A: T.Buffer((4,), "int32")):
    for i in range(4):
        A[i] = B[i]
