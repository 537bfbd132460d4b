@T.prim_func
def f(i: T.int64, k: T.int64, s: T.int64, A: T.Buffer((4,), "int32")):
    if i >= T.int64(4611686018427387904):
        if i < T.int64(9223372036854775000):
            if s >= T.int64(4611686018427387904):
                V = T.decl_buffer((T.int64(9223372036854775807), T.int64(9223372036854775807)), "int32", data=A.data, strides=[s, T.int64(0) - s])
                if k == i:
                    V[i, k] = 2
