@T.prim_func
def f(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8, 4), "int32")):
    X = T.alloc_buffer((8, 4), "int32")
    with T.attr(0, "async_commit_queue_scope", 0):
        for i, j in T.grid(8, 4):
            X[i, j] = A[i, j]
    for i in range(8):
        W = T.alloc_buffer((4,), "int32")
        with T.attr(0, "async_wait_queue_scope", 0):
            with T.attr(0, "async_wait_inflight_count", 0):
                B[i, 0] = 0
        with T.block("fill"):
            for j in range(4):
                W[j] = X[i, j]
        for j in range(4):
            B[i, j] = W[j]
