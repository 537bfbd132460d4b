# from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((1,), "int32"), O: T.Buffer((2,), "float32")):
    T.assume(A[0] >= 0 and A[0] < 3)
    O[0] = T.float32(1) + O[1]
