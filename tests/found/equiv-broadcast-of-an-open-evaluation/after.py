@T.prim_func
def f(A: T.Buffer(3, "float32"), B: T.Buffer(4, "float32")):
    for i in range(4):
        B[i] = A[0] * A[1] + A[2]
