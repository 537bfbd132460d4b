# The cache of the input holds the output of a row, too, when the copy for the next row is under way.
@T.prim_func
def conv2d_conv2d(
    data: T.Buffer((8, 4, 8), "float32"),
    filter1: T.Buffer((8, 8), "float32"),
    filter2: T.Buffer((8, 8), "float32"),
    output: T.Buffer((8, 4, 8), "float32"),
):
    cache0 = T.alloc_buffer((4, 8), "float32")
    for w, c in T.grid(4, 8):
        cache0[w, c] = data[0, w, c]
    for ho in range(8):
        cache1 = T.alloc_buffer((4, 8), "float32")
        with T.attr(0, "async_wait_queue_scope", 0), T.attr(0, "async_wait_inflight_count", 0):
            for w, k in T.grid(4, 8):
                cache1[w, k] = T.float32(0)
                for c in range(8):
                    cache1[w, k] = cache1[w, k] + cache0[w, c] * filter1[k, c]
        for w, k in T.grid(4, 8):
            cache0[w, k] = T.float32(0)
            for c in range(8):
                cache0[w, k] = cache0[w, k] + cache1[w, c] * filter2[k, c]
        with T.attr(0, "async_commit_queue_scope", 0):
            for w, c in T.grid(4, 8):
                output[ho, w, c] = cache0[w, c]
        if ho < 7:
            for w, c in T.grid(4, 8):
                cache0[w, c] = data[ho + 1, w, c]
    with T.attr(0, "async_wait_queue_scope", 0), T.attr(0, "async_wait_inflight_count", 0):
        T.evaluate(0)
