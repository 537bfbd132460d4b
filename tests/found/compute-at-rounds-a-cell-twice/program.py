@T.prim_func
def f(A: T.Buffer((17,), "float32"), C: T.Buffer((17,), "float32"), B: T.Buffer((16,), "int32")):
    T_ = T.alloc_buffer((17,))
    for i in range(17):
        with T.block("produce"):
            vi = T.axis.remap("S", [i])
            T_[vi] = A[vi] * A[vi] - C[vi]
    for i in range(16):
        with T.block("use"):
            vi = T.axis.remap("S", [i])
            B[vi] = T.Select(T_[vi] < T_[vi + 1], 1, 0)
