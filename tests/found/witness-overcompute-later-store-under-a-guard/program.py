@T.prim_func
def main(A: T.Buffer((8,), "int32"), n: T.int32, m: T.int32):
    for i in range(8):
        if n > 0:
            A[i] = 1
    for i in range(8):
        if m > i:
            A[i] = 2
