@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32"), D: T.Buffer((16,), "int32")):
        with T.attr(0, "async_commit_queue_scope", 0):
            B[0] = A[0]
        for i in T.parallel(4):
            if i >= 1:
                D[i] = B[0]
            Module.w(D.data, i + 4)
        with T.attr(0, "async_wait_queue_scope", 0):
            with T.attr(0, "async_wait_inflight_count", 0):
                D[12] = 1
    @T.prim_func
    def w(D: T.Buffer((16,), "int32"), i: T.int32):
        T.assume(0 <= i and i < 16)
        with T.attr(0, "async_wait_queue_scope", 0):
            with T.attr(0, "async_wait_inflight_count", 0):
                D[i] = 1
