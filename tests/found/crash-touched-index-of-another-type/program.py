from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((64,), "int32")):
    for i in range(T.int64(64)):
        A[i] = 1
