@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    S = T.alloc_buffer((1,), "int32")
    S[0] = 0
    for r in range(4):
        S[0] = S[0] + 1
    if S[0] == 4:
        B[0] = 1
    if S[0] < 5:
        B[1] = 2
