@T.prim_func
def f(x: T.float32, y: T.float32, z: T.float32, V: T.Buffer((4,), "float32"), Y: T.Buffer((2, 4), "float32")):
    Y[T.Select(x * y + z > T.float32(0), 0, 1), 0:4] = V[0:4]
