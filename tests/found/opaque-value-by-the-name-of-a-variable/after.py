@T.prim_func
def main(A: T.Buffer((3,), "float32"), I: T.Buffer((1,), "int32"), B: T.Buffer((8,), "int32"), n: T.int32):
    T.func_attr({"hexproof.fp": "contract"})
    C = T.alloc_buffer((1,), "int32")
    L = T.alloc_buffer((8,), "int32")
    C[0] = I[0]
    T.evaluate(B[T.max(T.min(C[0], 7), 0)])
    T.evaluate(B[T.max(T.min(C[0], 7), 0)])
    T.evaluate(B[T.max(T.min(C[0], 7), 0)])
    T.evaluate(B[T.max(T.min(C[0], 7), 0)])
    T.evaluate(B[T.max(T.min(C[0], 7), 0)])
    T.evaluate(B[T.max(T.min(C[0], 7), 0)])
    T.evaluate(B[T.max(T.min(C[0], 7), 0)])
    T.evaluate(B[T.max(T.min(C[0], 7), 0)])
    read = T.int32()
    L[T.max(T.min(C[0], 7), 0)] = 1
    B[0] = L[T.Let(T.max(T.min(read, 7), 0), where={read: T.Cast("int32", T.max(T.min(A[0] * A[1] + A[2], T.float32(7.0)), T.float32(0.0)))})] * 0
