# section: Implicitly write default value of next operator
# listing before: 2043
# document before: equal
# listing after: 2081
# document after: equal
# schedule
assumes, init, conv = sch.get_child_loops("root")
sch.separate_conditions(conv)
# after
@T.prim_func
def conv1d(A: T.Buffer((3, 8), "float32"), F: T.Buffer((3,), "float32"), B: T.Buffer((3, 8), "float32")):
    T.func_attr({"hexproof.fp": "nnan ninf nsz reassoc", "hexproof.padding.2": "lambda io, ii: io * 8 + ii < 2 or io * 8 + ii >= 20"})
    for io, ii in T.grid(3, 8):
        T.assume(io * 8 + ii >= 2 and io * 8 + ii < 18 or A[io, ii] == T.float32(0.0))
    for bio, bii in T.grid(3, 8):
        B[bio, bii] = T.float32(0.0)
    for bio, bii, fi in T.grid(3, 8, 3):
        if not (bio == 0 and bii + fi < 2) and not (bio == 2 and bii + fi >= 4) and (not (bio == 0 and bii < 2) and not (bio == 2 and bii >= 2)):
            B[bio + (bii + fi) // 8, (bii + fi) % 8] = B[bio + (bii + fi) // 8, (bii + fi) % 8] + F[fi] * A[bio, bii]
