# section: Implicitly write default value of next operator
# asks for: reassoc
# listing before: 1926
# repair before: Bi - fi + 2 => Bi - fi
# repair before: ii >= 6 => ii >= 4
# listing after: 1962
# repair after: ii >= 6 => ii >= 4
# errata: B has 18 elements from transformed index 2 on: its padding starts at `(2, 4)`, not at `(2, 6)`, which
#  is where that of C starts
# schedule
sch.sequential_buffer_access("root", "A")
# after
@T.prim_func
def conv1d(A: T.Buffer((3, 8), "float32"), F: T.Buffer((3,), "float32"), B: T.Buffer((3, 8), "float32")):
    T.func_attr({"hexproof.fp": "nnan ninf nsz reassoc", "hexproof.padding.2": "lambda io, ii: io * 8 + ii < 2 or io * 8 + ii >= 20"})
    for io, ii in T.grid(3, 8):
        T.assume(io * 8 + ii >= 2 and io * 8 + ii < 18 or A[io, ii] == T.float32(0.0))
    for bi in range(18):
        B[(bi + 2) // 8, (bi + 2) % 8] = T.float32(0.0)
    for bio, bii, fi in T.grid(3, 8, 3):
        if bio * 8 + bii + fi - 2 >= 0 and bio * 8 + bii + fi - 2 < 18:
            if 0 <= bio * 8 + bii - 2 and bio * 8 + bii - 2 < 16:
                B[bio + (bii + fi) // 8, (bii + fi) % 8] = B[bio + (bii + fi) // 8, (bii + fi) % 8] + F[fi] * A[bio, bii]
    for io, ii in T.grid(3, 8):
        if io * 8 + ii < 2 or io * 8 + ii >= 20:
            B[io, ii] = T.float32(0.0)
