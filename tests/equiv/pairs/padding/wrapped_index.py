# An index that is taken modulo the number of tiles stays in bounds, and reads the padding at the other end.
# layout: A = lambda i: [(i + 2) // 4, (i + 2) % 4]
# pad: A = 0
@T.prim_func
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((10,), "int32")):
    for i in range(10):
        B[i] = 0
        for t in range(3):
            if 0 <= i - t and i - t < 8:
                B[i] = B[i] + A[i - t]


@T.prim_func
def right(A: T.Buffer((3, 4), "int32"), B: T.Buffer((10,), "int32")):
    for i in range(10):
        B[i] = 0
        for t in range(3):
            B[i] = B[i] + A[(i - t + 2) // 4 % 3, (i - t + 2) % 4]


# Wraps to tiles that hold values: i + 2 - t is at most 11, and the tile of 12 is 0, but the tile is taken modulo 2.
@T.prim_func
def wrong(A: T.Buffer((3, 4), "int32"), B: T.Buffer((10,), "int32")):
    for i in range(10):
        B[i] = 0
        for t in range(3):
            B[i] = B[i] + A[(i - t + 2) // 4 % 2, (i - t + 2) % 4]
