@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    T.func_attr({"hexproof.padding.0": "lambda i: i >= 4"})
    for i in range(8):
        T.assume(i < 4 or A[i] == T.undef())
    for i in range(4):
        B[i] = A[i]
    for i in range(4):
        B[i + 4] = 0
        if A[0] == 123456789:
            if A[i + 4] > 3:
                B[i + 4] = 0
