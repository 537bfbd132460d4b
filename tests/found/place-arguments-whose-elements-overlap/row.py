def main(a: T.handle, B: T.Buffer((4,), "int32")):
    A = T.match_buffer(a, (4, 4), "int32", strides=[3, 1])
    for i in T.parallel(4):
        A[i, 0] = i
    B[0] = A[0, 3]
