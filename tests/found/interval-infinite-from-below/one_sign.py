@T.prim_func
def f(A: T.Buffer((4,), "int32")):
    for i in range(T.int64(4611686018427387904), T.int64(4611686018427387906)):
        for s in range(T.int64(4611686018427387904), T.int64(4611686018427387906)):
            V = T.decl_buffer((T.int64(9223372036854775807), T.int64(9223372036854775807)), "int32", data=A.data, strides=[s, s])
            for p in T.parallel(2):
                for k in range(i, i + T.int64(1)):
                    if k == i:
                        V[i, k] = p
