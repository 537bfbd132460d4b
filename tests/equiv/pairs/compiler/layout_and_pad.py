# Rows of 125 values in 128 cells, four by four.
# layout: A = lambda i, j: [i, j // 4, j % 4]
# pad: A = 0
@T.prim_func
def before(A: T.Buffer((128, 125), "int32"), B: T.Buffer((128,), "int32")):
    for i, j in T.grid(128, 125):
        with T.block("B"):
            vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                B[vi] = 0
            B[vi] = B[vi] + A[vi, vj]


@T.prim_func
def right(A: T.Buffer((128, 32, 4), "int32"), B: T.Buffer((128,), "int32")):
    for i in T.parallel(128):
        B[i] = 0
        for jo, ji in T.grid(32, 4):
            B[i] = B[i] + A[i, jo, ji]


# pad: A = 1
@T.prim_func
def wrong(A: T.Buffer((128, 32, 4), "int32"), B: T.Buffer((128,), "int32")):
    for i in T.parallel(128):
        B[i] = 0
        for jo, ji in T.grid(32, 4):
            B[i] = B[i] + A[i, jo, ji]
