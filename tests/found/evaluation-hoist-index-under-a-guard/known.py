@T.prim_func
def main(A: T.Buffer((1024,), "int32"), n: T.int32):
    T.assume(n > 0)
    for i in range(8):
        if i > 0:
            A[i + 8 // n] = 1
