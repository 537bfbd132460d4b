from tvm.script import tir as T
@T.prim_func
def main(B: T.Buffer((4,), "int32"), p: T.int32, q: T.int32, r: T.int32):
    for i in range(4):
        with T.block("b"):
            w = T.axis.spatial(4, i)
            v = T.axis.opaque(16, T.Cast("int32", T.max(T.min(T.Cast("float32", p) * T.Cast("float32", q) - T.Cast("float32", r), T.float32(12)), T.float32(0))))
            if v > 4:
                B[w] = v
