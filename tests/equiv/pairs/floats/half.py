# float16 is rounded after each operation. Doubling is exact, so three times a number is rounded once either way.
@T.prim_func
def before(A: T.Buffer((2,), "float16"), B: T.Buffer((2,), "float16"), C: T.Buffer((2,), "float16")):
    for i in range(2):
        C[i] = A[i] + B[i] + A[i]


@T.prim_func
def right(A: T.Buffer((2,), "float16"), B: T.Buffer((2,), "float16"), C: T.Buffer((2,), "float16")):
    for i in range(2):
        x: T.float16 = B[i] + A[i]
        C[i] = A[i] + x


# Rounded once.
@T.prim_func
def wrong(A: T.Buffer((2,), "float16"), B: T.Buffer((2,), "float16"), C: T.Buffer((2,), "float16")):
    for i in range(2):
        x: T.float32 = T.Cast("float32", A[i])
        C[i] = T.Cast("float16", x + T.Cast("float32", B[i]) + x)


# In another order.
@T.prim_func
def wrong_2(A: T.Buffer((2,), "float16"), B: T.Buffer((2,), "float16"), C: T.Buffer((2,), "float16")):
    for i in range(2):
        C[i] = A[i] + A[i] + B[i]
