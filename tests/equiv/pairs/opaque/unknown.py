# A function that nobody has seen: equal arguments give equal results.
@T.prim_func
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.call_pure_extern("int32", "mystery", A[i] + A[i], 3) * 2


@T.prim_func
def right(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        x: T.int32 = T.call_pure_extern("int32", "mystery", A[i] * 2, 3)
        B[i] = x + x
