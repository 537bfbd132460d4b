@T.prim_func
def main(A: T.Buffer((9,), "int32"), B: T.Buffer((9,), "int32"), N: T.Buffer((1,), "uint64")):
    V = T.decl_buffer((T.uint64(2), T.uint64(5)), "int32", data=A.data, strides=[T.uint64(4), T.uint64(1)], elem_offset=T.uint64(0))
    for i in T.serial(T.uint64(0), T.uint64(5)):
        if N[0] < T.uint64(2):
            B[i] = V[N[0], i]
