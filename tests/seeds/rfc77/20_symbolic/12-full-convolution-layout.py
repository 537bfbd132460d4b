# section: Padded sums, operators and convolutions of any size
# before
@T.prim_func
def conv(a: T.handle, F: T.Buffer((3,), "int32"), b: T.handle, n: T.int32):
    A = T.match_buffer(a, (n,), "int32")
    B = T.match_buffer(b, (n + 2,), "int32")
    for i in range(n + 2):
        B[i] = 0
        for f in range(3):
            if 0 <= i - f and i - f < n:
                B[i] = B[i] + F[f] * A[i - f]
# schedule
sch.transform_layout("root", "A", lambda i: [(i + 2) // 8, (i + 2) % 8], pad_value=0)
sch.simplify()
# after
@T.prim_func
def conv(a: T.handle, F: T.Buffer((3,), "int32"), b: T.handle, n: T.int32):
    A = T.match_buffer(a, ((n + 9) // 8, 8), "int32")
    B = T.match_buffer(b, (n + 2,), "int32")
    for io, ii in T.grid((n + 9) // 8, 8):
        T.assume(io * 8 + ii >= 2 and io * 8 + ii < n + 2 or A[io, ii] == 0)
    for i in range(n + 2):
        B[i] = 0
        for f in range(3):
            if 0 <= i - f and i - f < n:
                B[i] = B[i] + F[f] * A[(i - f + 2) // 8, (i - f + 2) % 8]
