# A convolution of bytes with channels packed by four.
# layout: X = lambda c, y, x: [c // 4, y, x, c % 4]
# layout: W = lambda c, p, q: [c // 4, p, q, c % 4]
@T.prim_func
def before(X: T.Buffer((8, 4, 4), "int8"), W: T.Buffer((8, 3, 3), "int8"), Y: T.Buffer((2, 2), "int32")):
    for y, x in T.grid(2, 2):
        Y[y, x] = 0
        for c, p, q in T.grid(8, 3, 3):
            Y[y, x] = Y[y, x] + T.Cast("int32", X[c, y + p, x + q]) * T.Cast("int32", W[c, p, q])


@T.prim_func
def right(X: T.Buffer((2, 4, 4, 4), "int8"), W: T.Buffer((2, 3, 3, 4), "int8"), Y: T.Buffer((2, 2), "int32")):
    for y, x in T.grid(2, 2):
        Y[y, x] = 0
        for co, p, q, ci in T.grid(2, 3, 3, 4):
            Y[y, x] = Y[y, x] + T.Cast("int32", X[co, y + p, x + q, ci]) * T.Cast("int32", W[co, p, q, ci])


# Rows and columns of the window are exchanged.
@T.prim_func
def wrong(X: T.Buffer((2, 4, 4, 4), "int8"), W: T.Buffer((2, 3, 3, 4), "int8"), Y: T.Buffer((2, 2), "int32")):
    for y, x in T.grid(2, 2):
        Y[y, x] = 0
        for co, p, q, ci in T.grid(2, 3, 3, 4):
            Y[y, x] = Y[y, x] + T.Cast("int32", X[co, y + q, x + p, ci]) * T.Cast("int32", W[co, p, q, ci])


# The products in int8.
@T.prim_func
def wrong_2(X: T.Buffer((2, 4, 4, 4), "int8"), W: T.Buffer((2, 3, 3, 4), "int8"), Y: T.Buffer((2, 2), "int32")):
    for y, x in T.grid(2, 2):
        Y[y, x] = 0
        for co, p, q, ci in T.grid(2, 3, 3, 4):
            Y[y, x] = Y[y, x] + T.Cast("int32", X[co, y + p, x + q, ci] * W[co, p, q, ci])
