@T.prim_func
def f(A: T.Buffer((2,), "float32"), B: T.Buffer((1,), "bool")):
    B[0] = T.call_pure_extern("bool", "is_not_isnan", A[0])
