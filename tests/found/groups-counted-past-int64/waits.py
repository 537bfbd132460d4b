@T.prim_func
def f(A: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    B = T.alloc_buffer((4,), "int32")
    B[0] = 0
    for i in range(T.uint64(9223372036854775807), T.uint64(9223372036854775809)):
        C[0] = B[0]
        with T.attr(0, "async_commit_queue_scope", 0):
            B[0] = A[0]
        with T.attr(0, "async_wait_queue_scope", 0):
            with T.attr(0, "async_wait_inflight_count", 0):
                C[1] = B[0]
