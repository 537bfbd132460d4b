@T.prim_func
def before(A: T.Buffer((512, 256), "int8"), B: T.Buffer((256, 512), "int8")):
    for i, j in T.grid(256, 512):
        B[i, j] = A[j, i]


@T.prim_func
def right(A: T.Buffer((512, 256), "int8"), B: T.Buffer((256, 512), "int8")):
    for io, jo, ii, ji in T.grid(8, 16, 32, 32):
        B[io * 32 + ii, jo * 32 + ji] = A[jo * 32 + ji, io * 32 + ii]


# Tiles of 32 on one side and of 16 on the other.
@T.prim_func
def wrong(A: T.Buffer((512, 256), "int8"), B: T.Buffer((256, 512), "int8")):
    for io, jo, ii, ji in T.grid(8, 16, 32, 32):
        B[io * 32 + ii, jo * 32 + ji] = A[jo * 32 + ji, io * 16 + ii]
