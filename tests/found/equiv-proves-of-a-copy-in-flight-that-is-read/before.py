@T.prim_func
def main(A: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32"), D: T.Buffer((1,), "int32")):
    with T.attr(0, "async_commit_queue_scope", 0):
        for i in range(4):
            C[i] = A[i]
    D[0] = C[1]
    with T.attr(0, "async_wait_queue_scope", 0):
        with T.attr(0, "async_wait_inflight_count", 0):
            T.evaluate(0)
