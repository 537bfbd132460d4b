@T.prim_func
def main(A: T.Buffer((1024,), "int32"), n: T.int32):
    for i in range(8):
        if n > 0:
            A[i + 8 // n] = 1
