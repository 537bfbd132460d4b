# section: Padded sums, operators and convolutions of any size
# before
@T.prim_func
def total(a: T.handle, b: T.handle, n: T.int32):
    A = T.match_buffer(a, (n,), "int32")
    B = T.match_buffer(b, (1,), "int32")
    B[0] = 0
    for i in range(n):
        B[0] = B[0] + A[i]
# schedule
sch.transform_layout("root", "A", lambda i: [i // 4, i % 4], pad_value=1)
sch.sequential_buffer_access("root", "A")
# after
@T.prim_func
def total(a: T.handle, B: T.Buffer((1,), "int32"), n: T.int32):
    A = T.match_buffer(a, ((n + 3) // 4, 4), "int32")
    for io, ii in T.grid((n + 3) // 4, 4):
        T.assume(io * 4 + ii < n or A[io, ii] == 1)
    B[0] = 0
    for io, ii in T.grid((n + 3) // 4, 4):
        if io * 4 + ii < n:
            B[0] = B[0] + A[io, ii]
