from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "int32"), n: T.int32):
    T.assume(n >= -1)
    x = T.int32()
    A[0] = T.Let(0, where={x: 0 // n})
