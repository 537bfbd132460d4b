# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((18,), "int32")):
    for i in range(-4, 5):
        for j in range(4):
            A[i * j + 5] = 1
