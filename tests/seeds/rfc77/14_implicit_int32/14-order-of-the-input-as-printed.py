# section: Implicitly write default value of next operator
# document type: int32
# listing before: 1926
# document before: equal
# listing after: 1962
# document after: refuted
# errata: with the `Ai = Bi - fi + 2` of the listing before, `Bi` is `8 * io + ii + fi - 4`: its comment forgets
#  the offset of the layout, and its `(Bi + 2) % 8` is not `(ii + fi) // 8`
# before
@T.prim_func
def conv1d(A: T.Buffer((3, 8), "int32"), F: T.Buffer((3,), "int32"), B: T.Buffer((3, 8), "int32")):
    for io, ii in T.grid(3, 8):
        T.assume(io * 8 + ii >= 2 and io * 8 + ii < 18 or A[io, ii] == 0)
    for bi in range(18):
        B[(bi + 2) // 8, (bi + 2) % 8] = 0
        for fi in range(3):
            ai: T.int32 = bi - fi + 2
            if 0 <= ai and ai < 16:
                B[(bi + 2) // 8, (bi + 2) % 8] = B[(bi + 2) // 8, (bi + 2) % 8] + F[fi] * A[(ai + 2) // 8, (ai + 2) % 8]
    for io, ii in T.grid(3, 8):
        if io == 0 and ii < 2 or io == 2 and ii >= 6:
            B[io, ii] = 0
# schedule
sch.sequential_buffer_access("root", "A")
# after
@T.prim_func
def conv1d(A: T.Buffer((3, 8), "int32"), F: T.Buffer((3,), "int32"), B: T.Buffer((3, 8), "int32")):
    for io, ii in T.grid(3, 8):
        T.assume(io * 8 + ii >= 2 and io * 8 + ii < 18 or A[io, ii] == 0)
    for bi in range(18):
        B[(bi + 2) // 8, (bi + 2) % 8] = 0
    for bio, bii, fi in T.grid(3, 8, 3):
        if bio * 8 + bii + fi - 4 >= 0 and bio * 8 + bii + fi - 4 < 18:
            if bio * 8 + bii < 18:
                B[(bio * 8 + bii + fi + -2) // 8, (bio * 8 + bii + fi + -2) % 8] = B[(bio * 8 + bii + fi + -2) // 8, (bio * 8 + bii + fi + -2) % 8] + F[fi] * A[bio, bii]
    for io, ii in T.grid(3, 8):
        if io == 0 and ii < 2 or io == 2 and ii >= 6:
            B[io, ii] = 0
