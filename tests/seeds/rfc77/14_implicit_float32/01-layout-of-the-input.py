# section: Implicitly write default value of next operator
# listing before: 1827
# repair before: Bi - fi + 2 => Bi - fi
# listing after: 1874
# repair after: Bi - fi + 2 => Bi - fi
# errata: the convolution with padding 2 that the text names reads `A[Bi - fi]`, and so do the listings from
#  1962 on; with `Ai = Bi - fi + 2`, B[16] and B[17] are always zero
# before
@T.prim_func
def conv1d(A: T.Buffer((16,), "float32"), F: T.Buffer((3,), "float32"), B: T.Buffer((18,), "float32")):
    T.func_attr({"hexproof.fp": "nnan ninf nsz reassoc"})
    for bi in range(18):
        B[bi] = 0.0
        for fi in range(3):
            ai: T.int32 = bi - fi
            if 0 <= ai and ai < 16:
                B[bi] = B[bi] + F[fi] * A[ai]
# schedule
sch.transform_layout("root", "A", lambda i: [(i + 2) // 8, (i + 2) % 8], pad_value=0.0)
# after
@T.prim_func
def conv1d(A: T.Buffer((3, 8), "float32"), F: T.Buffer((3,), "float32"), B: T.Buffer((18,), "float32")):
    T.func_attr({"hexproof.fp": "nnan ninf nsz reassoc"})
    for io, ii in T.grid(3, 8):
        T.assume(io * 8 + ii >= 2 and io * 8 + ii < 18 or A[io, ii] == T.float32(0.0))
    for bi in range(18):
        B[bi] = T.float32(0.0)
        for fi in range(3):
            ai: T.int32 = bi - fi
            if 0 <= ai and ai < 16:
                B[bi] = B[bi] + F[fi] * A[(ai + 2) // 8, (ai + 2) % 8]
