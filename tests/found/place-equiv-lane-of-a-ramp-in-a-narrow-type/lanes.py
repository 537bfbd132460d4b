@T.prim_func
def main(A: T.Buffer((101,), "int32"), O: T.Buffer((3,), "int32")):
    O[T.Ramp(0, 1, 3)] = A[T.Ramp(T.int8(-100), T.int8(100), 3) // T.Broadcast(T.int8(2), 3) + T.Broadcast(T.int8(50), 3)]
