from tvm.script import tir as T
@T.prim_func
def main(acc: T.Buffer((32,), "int32"), a: T.Buffer((4,), "uint8"), b: T.Buffer((32, 4), "uint8")):
    for i in range(T.int8(32)):
        for k in range(T.int8(4)):
            acc[i] = acc[i] + T.Cast("int32", a[k]) * T.Cast("int32", b[i, k])
