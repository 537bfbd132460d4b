@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32"), D: T.Buffer((1,), "int32")):
        C = T.alloc_buffer((1,), "int32")
        C[0] = A[0]
        with T.attr(0, "async_commit_queue_scope", 0):
            B[0] = C[0]
        Module.g(C.data, D.data)
        with T.attr(0, "async_wait_queue_scope", 0):
            with T.attr(0, "async_wait_inflight_count", 0):
                T.evaluate(0)

    @T.prim_func
    def g(C: T.Buffer((1,), "int32"), D: T.Buffer((1,), "int32")):
        T.assume(C[0] == T.undef())
        D[0] = C[0]
