@T.prim_func
def main(a: T.Buffer((4,), "uint8"), b: T.Buffer((32, 4), "uint8"), acc: T.Buffer((32,), "int32")):
    for i, k in T.grid(32, 4):
        with T.block("d"):
            vi, vk = T.axis.remap("SR", [i, k])
            acc[vi] = acc[vi] + T.Cast("int32", a[vk]) * T.Cast("int32", b[vi, vk])
