@T.prim_func
def before(X: T.Buffer((6, 6), "float32"), Y: T.Buffer((3, 3), "float32")):
    for y, x in T.grid(3, 3):
        Y[y, x] = T.min_value("float32")
        for p, q in T.grid(2, 2):
            Y[y, x] = T.max(Y[y, x], X[y * 2 + p, x * 2 + q])


@T.prim_func
def right(X: T.Buffer((6, 6), "float32"), Y: T.Buffer((3, 3), "float32")):
    for y, x in T.grid(3, 3):
        Y[y, x] = T.max(T.max(T.max(T.max(T.min_value("float32"), X[y * 2, x * 2]), X[y * 2, x * 2 + 1]), X[y * 2 + 1, x * 2]), X[y * 2 + 1, x * 2 + 1])


# Column by column: the last NaN is another one.
@T.prim_func
def wrong(X: T.Buffer((6, 6), "float32"), Y: T.Buffer((3, 3), "float32")):
    for y, x in T.grid(3, 3):
        Y[y, x] = T.min_value("float32")
        for q, p in T.grid(2, 2):
            Y[y, x] = T.max(Y[y, x], X[y * 2 + p, x * 2 + q])


# Windows that overlap.
@T.prim_func
def wrong_2(X: T.Buffer((6, 6), "float32"), Y: T.Buffer((3, 3), "float32")):
    for y, x in T.grid(3, 3):
        Y[y, x] = T.min_value("float32")
        for p, q in T.grid(2, 2):
            Y[y, x] = T.max(Y[y, x], X[y + p, x + q])
