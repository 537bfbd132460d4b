from tvm.script import tir as T
@T.prim_func
def main(B: T.Buffer((1,), "float32")):
    for i in range(1):
        B[i] = T.float32(1) / T.Cast("float32", i)
