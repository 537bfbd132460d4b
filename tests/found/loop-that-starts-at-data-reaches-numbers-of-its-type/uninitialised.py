@T.prim_func
def f(j: T.int8, k: T.int8, B: T.Buffer((1,), "int8"), A: T.Buffer((1,), "int32")):
    T.assume(B[0] == T.int8(-56))
    C = T.alloc_buffer((300,), "int32")
    for i in range(B[0], B[0] + T.int8(127)):
        if i >= T.int8(0):
            C[T.Cast("int32", i)] = 1
    if j == T.int8(100) and k == T.int8(100):
        A[0] = C[T.Cast("int32", j) + T.Cast("int32", k)]
