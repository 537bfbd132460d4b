@T.prim_func
def main(Y: T.Buffer((4,), "int32"), A: T.Buffer((4,), "int32")):
    for i in range(4):
        A[i] = T.undef(dtype="int32")
        for k in range(2):
            A[i] = A[i] * 2
