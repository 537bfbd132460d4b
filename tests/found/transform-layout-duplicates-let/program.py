from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "int32")):
    x = T.int32()
    A[T.Let(x, where={x: 0})] = 0
