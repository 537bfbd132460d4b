# The buffer that is cached is written in between.
@T.prim_func
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        A[i] = A[i] + 1
    for i in range(8):
        B[i] = A[7 - i]


@T.prim_func
def right(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    with T.block("root"):
        cache = T.alloc_buffer((8,), "int32")
        for i in range(8):
            A[i] = A[i] + 1
            cache[i] = A[i]
        for i in range(8):
            B[i] = cache[7 - i]


# Copied before the update.
@T.prim_func
def wrong(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    with T.block("root"):
        cache = T.alloc_buffer((8,), "int32")
        for i in range(8):
            cache[i] = A[i]
        for i in range(8):
            A[i] = A[i] + 1
        for i in range(8):
            B[i] = cache[7 - i]


# The update stays in the cache.
@T.prim_func
def wrong_2(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    with T.block("root"):
        cache = T.alloc_buffer((8,), "int32")
        for i in range(8):
            cache[i] = A[i] + 1
        for i in range(8):
            B[i] = cache[7 - i]
