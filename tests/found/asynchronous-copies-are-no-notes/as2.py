@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    S = T.alloc_buffer((4,), "int32", scope="global.vtcm")
    with T.attr(0, "async_commit_queue_scope", 0):
        with T.attr(0, "async_scope", 1):
            for i in range(4):
                S[i] = A[i]
    for i in range(4):
        B[i] = S[i]
