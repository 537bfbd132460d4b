from tvm.script import tir as T
@T.prim_func
def main(B: T.Buffer((1,), "float32")):
    B[0] = T.float32(4097) * T.float32(4097) - T.float32(16785404)
