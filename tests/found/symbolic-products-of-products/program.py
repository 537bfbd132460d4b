# from tvm.script import tir as T
@T.prim_func
def f(A: T.Buffer((1,), "float32"), B: T.Buffer((1,), "float32")):
    for i in range(1):
        B[i] = A[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
    for i in range(1):
        B[i] = B[i] * B[i]
