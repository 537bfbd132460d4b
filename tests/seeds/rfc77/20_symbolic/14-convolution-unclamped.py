# section: Padded sums, operators and convolutions of any size
# expect: refused: with n =
# before
@T.prim_func
def conv(a: T.handle, F: T.Buffer((3,), "int32"), b: T.handle, n: T.int32):
    T.func_attr({"hexproof.padding.2": "lambda io, ii: io * 4 + ii >= n"})
    A = T.match_buffer(a, ((n + 5) // 4, 4), "int32")
    B = T.match_buffer(b, ((n + 3) // 4, 4), "int32")
    for io, ii in T.grid((n + 5) // 4, 4):
        T.assume(io * 4 + ii < n + 2 or A[io, ii] == 0)
    for io, ii in T.grid((n + 3) // 4, 4):
        if io * 4 + ii < n:
            B[io, ii] = 0
            for f in range(3):
                B[io, ii] = B[io, ii] + F[f] * A[io + (ii + f) // 4, (ii + f) % 4]
    for io, ii in T.grid((n + 3) // 4, 4):
        if io * 4 + ii >= n:
            B[io, ii] = 0
# schedule
sch.remove_branching_through_overcompute("root", clamp=False)
# after
@T.prim_func
def conv(a: T.handle, F: T.Buffer((3,), "int32"), b: T.handle, n: T.int32):
    T.func_attr({"hexproof.padding.2": "lambda io, ii: io * 4 + ii >= n"})
    A = T.match_buffer(a, ((n + 5) // 4, 4), "int32")
    B = T.match_buffer(b, ((n + 3) // 4, 4), "int32")
    for io, ii in T.grid((n + 5) // 4, 4):
        T.assume(io * 4 + ii < n + 2 or A[io, ii] == 0)
    for io, ii in T.grid((n + 3) // 4, 4):
        B[io, ii] = 0
        for f in range(3):
            B[io, ii] = B[io, ii] + F[f] * A[io + (ii + f) // 4, (ii + f) % 4]
    for io, ii in T.grid((n + 3) // 4, 4):
        if io * 4 + ii >= n:
            B[io, ii] = 0
