@T.prim_func
def f(n: T.uint64, A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    with T.attr(0, "async_commit_queue_scope", 0):
        B[0] = A[0]
    with T.attr(0, "async_wait_queue_scope", 0):
        with T.attr(0, "async_wait_inflight_count", n):
            B[0] = A[1]
