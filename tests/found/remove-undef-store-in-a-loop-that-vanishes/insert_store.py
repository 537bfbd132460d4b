@T.prim_func
def main(B: T.Buffer((4,), "int32"), n: T.int32):
    A = T.decl_buffer((1,), "int32")
    A[0] = 5
    with T.allocate_const([3], "int32", [1]) as k:
        K = T.decl_buffer((1,), "int32", data=k)
        for t in range(T.min(K[0], 4)):
            with T.block("b"):
                vt = T.axis.opaque(4, t)
                B[vt] = A[0]
                if n > 3:
                    A[0] = 1
