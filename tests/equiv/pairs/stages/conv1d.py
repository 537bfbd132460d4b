# A window with a border of one, with its input packed and padded.
# layout: X = lambda i: [(i + 1) // 4, (i + 1) % 4]
# pad: X = 0
@T.prim_func
def before(X: T.Buffer((10,), "int32"), W: T.Buffer((3,), "int32"), Y: T.Buffer((10,), "int32")):
    for i in range(10):
        Y[i] = 0
        for t in range(3):
            Y[i] = Y[i] + W[t] * T.if_then_else(0 <= i + t - 1 < 10, X[T.max(T.min(i + t - 1, 9), 0)], 0)


@T.prim_func
def right(X: T.Buffer((3, 4), "int32"), W: T.Buffer((3,), "int32"), Y: T.Buffer((10,), "int32")):
    for i in range(10):
        Y[i] = 0
    for t, i in T.grid(3, 10):
        Y[i] = Y[i] + W[t] * X[(i + t) // 4, (i + t) % 4]


# The window is flipped.
@T.prim_func
def wrong(X: T.Buffer((3, 4), "int32"), W: T.Buffer((3,), "int32"), Y: T.Buffer((10,), "int32")):
    for i in range(10):
        Y[i] = 0
    for t, i in T.grid(3, 10):
        Y[i] = Y[i] + W[2 - t] * X[(i + t) // 4, (i + t) % 4]
