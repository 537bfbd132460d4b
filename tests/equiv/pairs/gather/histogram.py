# Counting: integers in any order, floats in this one.
@T.prim_func
def before(I: T.Buffer((5,), "int32"), W: T.Buffer((5,), "float32"), C: T.Buffer((3,), "int32"), S: T.Buffer((3,), "float32")):
    for i in range(5):
        C[I[i] % 3] = C[I[i] % 3] + 1
        S[I[i] % 3] = S[I[i] % 3] + W[i]


@T.prim_func
def right(I: T.Buffer((5,), "int32"), W: T.Buffer((5,), "float32"), C: T.Buffer((3,), "int32"), S: T.Buffer((3,), "float32")):
    for i in range(5):
        C[I[4 - i] % 3] = C[I[4 - i] % 3] + 1
    for i in range(5):
        S[I[i] % 3] = S[I[i] % 3] + W[i]


@T.prim_func
def right_2(I: T.Buffer((5,), "int32"), W: T.Buffer((5,), "float32"), C: T.Buffer((3,), "int32"), S: T.Buffer((3,), "float32")):
    for b in range(3):
        for i in range(5):
            if I[i] % 3 == b:
                C[b] = C[b] + 1
                S[b] = S[b] + W[i]


@T.prim_func
def wrong(I: T.Buffer((5,), "int32"), W: T.Buffer((5,), "float32"), C: T.Buffer((3,), "int32"), S: T.Buffer((3,), "float32")):
    for i in range(5):
        C[I[i] % 3] = C[I[i] % 3] + 1
        S[I[4 - i] % 3] = S[I[4 - i] % 3] + W[4 - i]


# Counting in parallel: two threads may meet.
@T.prim_func
def wrong_2(I: T.Buffer((5,), "int32"), W: T.Buffer((5,), "float32"), C: T.Buffer((3,), "int32"), S: T.Buffer((3,), "float32")):
    for i in T.parallel(5):
        C[I[i] % 3] = C[I[i] % 3] + 1
    for i in range(5):
        S[I[i] % 3] = S[I[i] % 3] + W[i]
