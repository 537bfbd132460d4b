@T.prim_func
def main(B: T.Buffer((4,), "int32")):
    A = T.decl_buffer((1,), "int32")
    with T.allocate_const([3], "int32", [1]) as k:
        K = T.decl_buffer((1,), "int32", data=k)
        for t in range(K[0]):
            if t > 0:
                B[0] = A[0]
            A[0] = T.undef()
