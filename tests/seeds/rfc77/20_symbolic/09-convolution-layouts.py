# section: Padded sums, operators and convolutions of any size
# before
@T.prim_func
def conv(a: T.handle, F: T.Buffer((3,), "int32"), b: T.handle, n: T.int32):
    A = T.match_buffer(a, (n + 2,), "int32")
    B = T.match_buffer(b, (n,), "int32")
    for i in range(n):
        B[i] = 0
        for f in range(3):
            B[i] = B[i] + F[f] * A[i + f]
# schedule
sch.transform_layout("root", "A", lambda i: [i // 4, i % 4], pad_value=0)
sch.transform_layout("root", "B", lambda i: [i // 4, i % 4], pad_value=0)
# after
@T.prim_func
def conv(a: T.handle, F: T.Buffer((3,), "int32"), b: T.handle, n: T.int32):
    T.func_attr({"hexproof.padding.2": "lambda io, ii: io * 4 + ii >= n"})
    A = T.match_buffer(a, ((n + 5) // 4, 4), "int32")
    B = T.match_buffer(b, ((n + 3) // 4, 4), "int32")
    for io, ii in T.grid((n + 5) // 4, 4):
        T.assume(io * 4 + ii < n + 2 or A[io, ii] == 0)
    for i in range(n):
        B[i // 4, i % 4] = 0
        for f in range(3):
            B[i // 4, i % 4] = B[i // 4, i % 4] + F[f] * A[(i + f) // 4, (i + f) % 4]
    for io, ii in T.grid((n + 3) // 4, 4):
        if io * 4 + ii >= n:
            B[io, ii] = 0
