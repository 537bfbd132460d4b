@T.prim_func
def main(B: T.Buffer((4,), "int32")):
    B[T.Ramp(0, 1, 4)] = T.Broadcast(T.undef(dtype="int32"), 4)
