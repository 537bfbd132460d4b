@T.prim_func
def f(x: T.float32, y: T.float32, z: T.float32, V: T.Buffer((4,), "float32"), Y: T.Buffer((2, 4), "float32")):
    for i in range(2):
        Y[T.Select(x * y + z > T.float32(0), 0, 1), i*2:i*2+2] = V[i*2:i*2+2]
