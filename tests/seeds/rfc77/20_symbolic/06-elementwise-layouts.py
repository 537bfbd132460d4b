# section: Padded sums, operators and convolutions of any size
# before
@T.prim_func
def double(a: T.handle, b: T.handle, n: T.int32):
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    for i in range(n):
        B[i] = T.float32(2) * A[i]
# schedule
sch.transform_layout("root", "A", lambda i: [(i + 2) // 8, (i + 2) % 8], pad_value=tir.undef())
sch.transform_layout("root", "B", lambda i: [(i + 2) // 8, (i + 2) % 8], pad_value=tir.undef())
# after
@T.prim_func
def double(a: T.handle, b: T.handle, n: T.int32):
    T.func_attr({"hexproof.padding.1": "lambda io, ii: io * 8 + ii < 2 or io * 8 + ii >= n + 2"})
    A = T.match_buffer(a, ((n + 9) // 8, 8), "float32")
    B = T.match_buffer(b, ((n + 9) // 8, 8), "float32")
    for io, ii in T.grid((n + 9) // 8, 8):
        T.assume(io * 8 + ii >= 2 and io * 8 + ii < n + 2 or A[io, ii] == T.undef())
    for i in range(n):
        B[(i + 2) // 8, (i + 2) % 8] = T.float32(2.0) * A[(i + 2) // 8, (i + 2) % 8]
    for io, ii in T.grid((n + 9) // 8, 8):
        if io * 8 + ii < 2 or io * 8 + ii >= n + 2:
            B[io, ii] = T.undef()
