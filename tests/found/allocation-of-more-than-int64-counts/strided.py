@T.prim_func
def f(n: T.uint64, A: T.Buffer((1,), "int32")):
    if n >= T.uint64(9223372036854775808):
        B = T.alloc_buffer((n,), "int32", strides=[2])
        B[T.uint64(0)] = 1
        A[0] = B[T.uint64(0)]
