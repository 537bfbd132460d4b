@T.prim_func
def f(A: T.Buffer((4,),"float32"), B: T.Buffer((4,),"int32")):
    for i in range(4):
        x: T.float32 = A[i] - A[i]
        if x != x:
            B[i] = -1
        else:
            B[i + T.Cast("int32", x) // 536870912] = 1
