# section: Padded sums, operators and convolutions of any size
# expect: refused: with n = 2
# schedule
sch.remove_branching_through_overcompute("root")
# after
@T.prim_func
def total(a: T.handle, b: T.handle, n: T.int32):
    A = T.match_buffer(a, ((n + 3) // 4, 4), "int32")
    B = T.match_buffer(b, (1,), "int32")
    for io, ii in T.grid((n + 3) // 4, 4):
        T.assume(io * 4 + ii < n or A[io, ii] == 1)
    B[0] = 0
    for io, ii in T.grid((n + 3) // 4, 4):
        B[0] = B[0] + A[io, ii]
