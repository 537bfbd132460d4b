from tvm.script import tir as T
@T.prim_func
def main(B: T.Buffer((1,), "int32"), p: T.int32, q: T.int32, r: T.int32):
    if T.Cast("int32", T.max(T.min(T.Cast("float32", p) * T.Cast("float32", q) - T.Cast("float32", r), T.float32(12)), T.float32(0))) >= 0 and T.Cast("int32", T.max(T.min(T.Cast("float32", p) * T.Cast("float32", q) - T.Cast("float32", r), T.float32(12)), T.float32(0))) < 5:
        B[0] = T.Cast("int32", T.max(T.min(T.Cast("float32", p) * T.Cast("float32", q) - T.Cast("float32", r), T.float32(12)), T.float32(0))) % 5
