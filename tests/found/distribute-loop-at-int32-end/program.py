from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "int32")):
    for i in T.serial(T.int32(2147483640), T.int32(2147483640) + T.int32(8)):
        A[0] = i
        A[i - 2147483640] = 7
