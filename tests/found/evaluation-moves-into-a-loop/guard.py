from tvm.script import tir as T
@T.prim_func
def main(B: T.Buffer((4, 4), "int32"), p: T.int32, q: T.int32, r: T.int32):
    for i in range(4):
        if T.Cast("float32", p) * T.Cast("float32", q) - T.Cast("float32", r) > T.float32(0):
            for j in range(4):
                B[i, j] = 1
