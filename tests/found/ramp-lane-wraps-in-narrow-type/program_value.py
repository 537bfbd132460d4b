@T.prim_func
def main(B: T.Buffer((128,), "int32"), C: T.Buffer((300,), "int32")):
    C[T.Ramp(0, 1, 300)] = T.Cast("int32x300", T.Ramp(T.int8(0), T.int8(1), 300))
