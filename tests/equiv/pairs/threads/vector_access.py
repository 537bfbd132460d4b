# Slices and ramps as vectors.
@T.prim_func
def before(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = A[i] * 2.0 + 1.0


@T.prim_func
def right(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(4):
        B[i * 4 : i * 4 + 4] = A[i * 4 : i * 4 + 4] * T.Broadcast(T.float32(2), 4) + T.Broadcast(T.float32(1), 4)


@T.prim_func
def right_2(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(4):
        B[T.Ramp(i, 4, 4)] = A[T.Ramp(i, 4, 4)] * T.Broadcast(T.float32(2), 4) + T.Broadcast(T.float32(1), 4)


# Lanes in reverse on one side.
@T.prim_func
def wrong(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(4):
        B[T.Ramp(i * 4 + 3, -1, 4)] = A[T.Ramp(i * 4, 1, 4)] * T.Broadcast(T.float32(2), 4) + T.Broadcast(T.float32(1), 4)


# The lanes of one vector overlap the next.
@T.prim_func
def wrong_2(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(4):
        B[T.Ramp(i, 3, 4)] = A[T.Ramp(i, 3, 4)] * T.Broadcast(T.float32(2), 4) + T.Broadcast(T.float32(1), 4)
