# As a compiler leaves it: flat memory, one loop, views.
@T.prim_func
def before(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
    for i, j in T.grid(4, 8):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj])
            T.writes(B[vi, vj])
            B[vi, vj] = T.max(A[vi, vj] * T.float32(0.5), T.float32(0))


@T.prim_func
def right(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
    T.func_attr({"tir.noalias": True})
    A_1 = T.Buffer((32,), "float32", data=A.data)
    B_1 = T.Buffer((32,), "float32", data=B.data)
    for f in T.parallel(8):
        B_1[f * 4 : f * 4 + 4] = T.max(A_1[f * 4 : f * 4 + 4] * T.Broadcast(T.float32(0.5), 4), T.Broadcast(T.float32(0), 4))


# The outer stride of the other buffer.
@T.prim_func
def wrong(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
    A_1 = T.Buffer((32,), "float32", data=A.data)
    B_1 = T.Buffer((32,), "float32", data=B.data)
    for i, j in T.grid(4, 8):
        B_1[i * 8 + j] = T.max(A_1[i * 4 + j] * T.float32(0.5), T.float32(0))


# The clamp before the product: it is the same but for a NaN of the product of infinity, which there is none of; the
# zero comes first.
@T.prim_func
def wrong_2(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
    A_1 = T.Buffer((32,), "float32", data=A.data)
    B_1 = T.Buffer((32,), "float32", data=B.data)
    for f in range(32):
        B_1[f] = T.max(T.float32(0), A_1[f] * T.float32(0.5))
