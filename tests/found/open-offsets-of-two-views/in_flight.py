@T.prim_func
def va(x: T.float32, y: T.float32, z: T.float32, A: T.Buffer((8,), "float32"), S: T.Buffer((8,), "float32"), Y: T.Buffer((8,), "float32")):
    T.func_attr({"hexproof.fp": "contract"})
    V = T.decl_buffer((4,), "float32", data=S.data, elem_offset=T.Select(x * y + z > T.float32(0), 0, 1))
    W = T.decl_buffer((4,), "float32", data=S.data, elem_offset=T.Select(x * y + z > T.float32(0), 0, 1))
    with T.attr(0, "async_commit_queue_scope", 0):
        with T.attr(0, "async_scope", 1):
            V[0] = A[0]
    Y[0] = W[1]
    with T.attr(0, "async_wait_queue_scope", 0):
        with T.attr(0, "async_wait_inflight_count", 0):
            Y[1] = T.float32(0)
