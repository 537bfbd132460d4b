from tvm.script import tir as T
@T.prim_func
def main(B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = T.Cast("float32", 4097 + i * 3) * T.Cast("float32", 4097 + i * 5) - T.float32(16785404)
