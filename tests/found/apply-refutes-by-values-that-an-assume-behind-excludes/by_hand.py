@T.prim_func
def main(A: T.Buffer((64,), "int32"), O: T.Buffer((16,), "int32"), n: T.int32):
    T.assume(n >= 0 and n <= 40)
    A_local = T.alloc_buffer((64,), "int32", scope="local")
    for ax0 in range(16):
        A_local[n + ax0] = A[n + ax0]
    for i in range(16):
        O[i] = A_local[n + i]
