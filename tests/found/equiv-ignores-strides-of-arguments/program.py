@T.prim_func
def main(a: T.handle):
    A = T.match_buffer(a, (4,), "int32", strides=[2])
    for i in range(4):
        A[i] = 1
