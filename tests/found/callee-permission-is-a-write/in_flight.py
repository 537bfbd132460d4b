@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32"), n: T.int32):
        S = T.alloc_buffer((8,), "int32")
        for i in range(8):
            S[i] = A[i]
        with T.attr(0, "async_commit_queue_scope", 0):
            for i in range(8):
                C[i] = S[i]
        Module.f(S.data, n)
        with T.attr(0, "async_wait_queue_scope", 0):
            with T.attr(0, "async_wait_inflight_count", 0):
                T.evaluate(0)

    @T.prim_func
    def f(S: T.Buffer((8,), "int32"), n: T.int32):
        T.assume(n > 0 or S[0] == T.undef())
        T.evaluate(S[0])
