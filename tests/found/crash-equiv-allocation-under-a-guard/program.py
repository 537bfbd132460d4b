@T.prim_func
def f(A: T.Buffer((8,), "int32"), n: T.int32):
    if n > 0 and n <= 8:
        W = T.alloc_buffer((8 // n,), "int32")
        for i in range(8 // n):
            W[i] = i
        for i in range(8 // n):
            A[i] = W[i]
