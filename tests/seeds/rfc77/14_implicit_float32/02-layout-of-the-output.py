# section: Implicitly write default value of next operator
# listing before: 1874
# repair before: Bi - fi + 2 => Bi - fi
# listing after: 1926
# repair after: Bi - fi + 2 => Bi - fi
# repair after: ii >= 6 => ii >= 4
# errata: the convolution with padding 2 that the text names reads `A[Bi - fi]`, and so do the listings from
#  1962 on; with `Ai = Bi - fi + 2`, B[16] and B[17] are always zero
# errata: B has 18 elements from transformed index 2 on: its padding starts at `(2, 4)`, not at `(2, 6)`, which
#  is where that of C starts
# schedule
sch.transform_layout("root", "B", lambda i: [(i + 2) // 8, (i + 2) % 8], pad_value=0.0)
# after
@T.prim_func
def conv1d(A: T.Buffer((3, 8), "float32"), F: T.Buffer((3,), "float32"), B: T.Buffer((3, 8), "float32")):
    T.func_attr({"hexproof.fp": "nnan ninf nsz reassoc", "hexproof.padding.2": "lambda io, ii: io * 8 + ii < 2 or io * 8 + ii >= 20"})
    for io, ii in T.grid(3, 8):
        T.assume(io * 8 + ii >= 2 and io * 8 + ii < 18 or A[io, ii] == T.float32(0.0))
    for bi in range(18):
        B[(bi + 2) // 8, (bi + 2) % 8] = T.float32(0.0)
        for fi in range(3):
            ai: T.int32 = bi - fi
            if 0 <= ai and ai < 16:
                B[(bi + 2) // 8, (bi + 2) % 8] = B[(bi + 2) // 8, (bi + 2) % 8] + F[fi] * A[(ai + 2) // 8, (ai + 2) % 8]
    for io, ii in T.grid(3, 8):
        if io * 8 + ii < 2 or io * 8 + ii >= 20:
            B[io, ii] = T.float32(0.0)
