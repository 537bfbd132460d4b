@T.prim_func
def main(A: T.Buffer((101,), "int32"), O: T.Buffer((3,), "int32")):
    C = T.alloc_buffer((101,), "int32")
    for i in range(61):
        C[i] = A[i]
    with T.attr(0, "async_commit_queue_scope", 0):
        for i in range(40):
            C[61 + i] = A[61 + i]
    if A[0] * A[1] == 774427 and A[2] == A[3] + 34567:
        O[T.Ramp(0, 1, 3)] = C[T.max(T.Ramp(-2147483600, 1073741850, 3), T.Broadcast(0, 3))]
    with T.attr(0, "async_wait_queue_scope", 0):
        with T.attr(0, "async_wait_inflight_count", 0):
            T.evaluate(0)
